import { expect, test } from 'vitest';
import { SignerMismatchError } from '../../../../functions/domain/errors.ts';
import { laneName } from '../../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../../functions/domain/lane/lane-records.ts';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { activateSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { FakeSigner } from '../../../fakes/ports/fake-signer.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import { alice, chainId, makeWorld } from '../../../fakes/world/world.ts';

test('a lane whose key this deployment does not have binds nothing, and sends when another is active', async () => {
  const world = makeWorld({ forwarder: true });
  const { services, records, queue, chain } = world;
  const second = new FakeSigner(`0x${'b2'.repeat(32)}`);
  chain.setOperator(world.delegateAddress, second.address);
  await activateSigner(services, chainId, { address: second.address, keyId: 'second' });
  // The key's id leads to another key by now.
  world.signers.set('second', new FakeSigner(`0x${'c3'.repeat(32)}`));
  const { attestation } = await world.create(alice, 'An article.');
  await queueOperation(services, attestation, 'commit');
  await expect(dispatchQueue(services, queue)).rejects.toThrow(SignerMismatchError);
  expect(await findLaneState(records, laneName(chainId, second.address))).toMatchObject({ nextNonce: 0 });
  expect(await listOperations(services, queue, 10)).toHaveLength(1);

  await activateSigner(services, chainId, { address: world.signer.address });
  await dispatchQueue(services, queue);
  world.mine();
  expect(minedCalls(world)).toEqual(['commit']);
});
