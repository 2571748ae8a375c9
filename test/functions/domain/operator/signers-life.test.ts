import { expect, test } from 'vitest';
import { laneName } from '../../../../functions/domain/lane/lane.ts';
import { activateSigner, revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { readLaneStatus } from '../../../../functions/domain/operator/read-lane-status.ts';
import { checkRule, watchSends } from '../../../fakes/checks/outcome-checks.ts';
import { FakeSigner } from '../../../fakes/ports/fake-signer.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { alice, bob, chainId } from '../../../fakes/world/world.ts';

/** A service with a second key that its forwarder knows, and so many attestations on their way. */
async function busyService() {
  const service = runService(undefined, { forwarder: true, confirmations: 5 });
  const { world } = service;
  watchSends(world);
  const second = new FakeSigner(`0x${'b2'.repeat(32)}`);
  world.signers.set('second', second);
  world.chain.setOperator(world.delegateAddress, second.address);
  const post = async (...texts: string[]) => {
    for (const text of texts) for (const caller of [alice, bob]) await service.post(caller, text);
  };
  const letPass = (seconds: number) => {
    const end = world.clock.now().getTime() + seconds * 1000;
    return service.queue.until(async () => world.clock.now().getTime() >= end, 2 * seconds);
  };
  return { ...service, second, post, letPass };
}

test('every attestation under way is confirmed once, though its key is replaced meanwhile', async () => {
  const { world, services, letPass, untilIdle, second, post } = await busyService();
  await post('a', 'b', 'c');
  await letPass(7);
  await activateSigner(services, chainId, { address: second.address, keyId: 'second' });
  await post('d', 'e');
  expect(await untilIdle()).toBe(true);
  await checkRule(world);
  for (const address of [world.signer.address, second.address]) {
    const { nonces } = await readLaneStatus(services, laneName(chainId, address));
    expect(nonces?.final).toBeGreaterThan(0);
  }
});

test('and though its key leaks: what the forwarder then refuses goes out with another', async () => {
  const { world, services, letPass, untilIdle, second, post } = await busyService();
  await activateSigner(services, chainId, { address: second.address, keyId: 'second' });
  // Sent, and not mined before the forwarder refuses it.
  world.chain.minTip = 10n ** 12n;
  await post('a', 'b', 'c');
  await letPass(3);
  await revokeSigner(services, chainId, second.address);
  world.chain.setOperator(world.delegateAddress, second.address, false);
  world.chain.minTip = 0n;
  await post('d', 'e');
  expect(await untilIdle()).toBe(true);
  await checkRule(world);
  const { nonces } = await readLaneStatus(services, laneName(chainId, second.address));
  expect(nonces?.final).toBeGreaterThan(0);
  const mined = world.chain.receipts().filter(({ sender }) => sender === second.address);
  expect(mined.filter(({ succeeded }) => succeeded)).toEqual([]);
});
