import { keccak256, toHex } from 'viem';
import { expect, test } from 'vitest';
import { activateSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import type { Reorganisation } from '../../../fakes/chain/simulated-blocks.ts';
import { checkRule } from '../../../fakes/checks/outcome-checks.ts';
import { FakeSigner } from '../../../fakes/ports/fake-signer.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { alice, bob, chainId } from '../../../fakes/world/world.ts';

const manners: readonly Reorganisation[] = [{ drop: true }, {}];
const otherAuthors = [alice, bob].map(({ authorityAddress }) => authorityAddress);

test.each(manners.flatMap((how) => otherAuthors.map((author) => ({ how, author }))))(
  'a link of another lane is made again with the index that its attestation has after a deep reorganisation: %j',
  async ({ how, author }) => {
    const service = runService(undefined, { confirmations: 3, forwarder: true });
    const { world, services, queue, untilIdle } = service;
    const second = new FakeSigner(`0x${'b2'.repeat(32)}`);
    world.signers.set('second', second);
    world.chain.setOperator(world.delegateAddress, second.address);
    world.chain.mine(1);
    const height = world.chain.newest.number;
    const { attestation: parent } = await service.post(alice, 'parent');
    const { attestation: child } = await service.post(alice, 'child');
    expect(await untilIdle()).toBe(true);
    await activateSigner(services, chainId, { address: second.address, keyId: 'second' });
    await linkChild(services, parent, child.id);
    expect(await untilIdle()).toBe(true);

    world.chain.reorganise(world.chain.newest.number - height, how);
    world.chain.attest(author, keccak256(toHex('comes before')));
    await queue.until(async () => false, 300);
    expect(await untilIdle(4 * 3600)).toBe(true);
    await checkRule(world);
  },
);
