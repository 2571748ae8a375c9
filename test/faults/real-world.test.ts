import { afterEach, expect, test } from 'vitest';
import { checkConfirmedOnce, checkRule } from '../fakes/checks/outcome-checks.ts';
import { evidenceOf } from '../fakes/real/real-evidence.ts';
import { runRealService } from '../fakes/real/real-service.ts';
import type { RealGiven } from '../fakes/real/real-settings.ts';
import { stale } from '../fakes/rpc/rpc-answers.ts';
import { alice, bob } from '../fakes/world/world.ts';

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function serve(given: RealGiven = {}) {
  const service = await runRealService(undefined, given);
  stops.push(service.world.stop);
  return service;
}

const ways: RealGiven[] = [{}, { forwarder: true }];

test.each(ways)('an attestation lives to its end on real adapters: %j', async (given) => {
  const service = await serve(given);
  const { attestation } = await service.post(alice, 'An article.');
  expect(await service.untilTerminal(attestation)).toBe(true);
  expect(await service.untilIdle()).toBe(true);
  await checkConfirmedOnce(await evidenceOf(service.world), attestation);
});

test('what waits while the lane is full goes through the forwarder in one transaction', async () => {
  const service = await serve({ forwarder: true, maxInFlight: 1 });
  const texts = ['first', 'second', 'third'];
  for (const text of texts) await service.post(text === 'second' ? bob : alice, text);
  expect(await service.untilIdle()).toBe(true);
  await checkRule(await evidenceOf(service.world));
  expect((await service.world.chain.receipts()).length).toBeLessThan(2 * texts.length);
});

test.each([
  ['wait again', {}],
  ['are forgotten', { drop: true }],
  ['are mined again', { remine: true }],
])('a reorganisation whose transactions %s sends the same bytes again', async (_, how) => {
  const service = await serve();
  const { world, queue } = service;
  const { attestation } = await service.post(alice, 'An article.');
  const { blockTimeSeconds } = world.chain.settings;
  expect(await queue.until(async () => (await world.chain.receipts()).length === 1, 60)).toBe(true);
  const [before] = await world.chain.receipts();
  queue.after(blockTimeSeconds / 2, () => world.chain.reorganise(1, how));
  expect(await service.untilIdle()).toBe(true);
  const [after] = await world.chain.receipts();
  expect(after?.raw).toBe(before?.raw);
  expect(after?.blockHash).not.toBe(before?.blockHash);
  await checkConfirmedOnce(await evidenceOf(world), attestation);
});

test('providers that lag, send garbage or are down delay and fail nothing', async () => {
  const service = await serve({ providers: 2 });
  const { providers, chain } = service.world;
  await service.post(alice, 'An article.');
  providers[0]?.set(stale(4));
  providers[1]?.set({ fault: { kind: 'garbage' }, times: 20 });
  service.queue.after(30, () => {
    chain.unreachable = true;
  });
  service.queue.after(90, () => {
    chain.unreachable = false;
  });
  expect(await service.untilIdle()).toBe(true);
  await checkRule(await evidenceOf(service.world));
});

test('a process killed at a request to AWS, or never answered, is made up for', async () => {
  for (const kind of ['killed before', 'killed after', 'answer lost'] as const) {
    const service = await serve();
    service.world.aws.inject({ kind, command: 'TransactWriteItems', nth: 3, times: 4 });
    const { attestation } = await service.postUntilAnswered(alice, 'An article.');
    expect(await service.untilIdle()).toBe(true);
    await checkConfirmedOnce(await evidenceOf(service.world), attestation);
  }
});

test('a key that a rotation adds signs as KMS does', async () => {
  const { world } = await serve();
  const keyId = await world.addKey();
  const added = await world.services.signer(keyId);
  expect(added.address).not.toBe(world.signer.address);
  const hash = await world.chain.spendNonce(added.address);
  await world.mine();
  expect(await world.chain.receipts()).toMatchObject([{ hash, sender: added.address, succeeded: true }]);
});
