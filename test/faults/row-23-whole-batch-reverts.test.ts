import { expect, test } from 'vitest';
import type { Payload } from '../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../functions/domain/lane/lane-records.ts';
import { findPayload } from '../../functions/domain/lane/transaction-records.ts';
import type { Caller } from '../../functions/domain/organization/api-keys.ts';
import { callsInside } from '../fakes/chain/contracts-model.ts';
import { registryRecords } from '../fakes/real/real-evidence.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { expectAllConfirmed } from './world/all-confirmed.ts';
import { excessiveTip } from './world/excessive-tip.ts';
import { rowsOf } from './world/rule.ts';
import { type Served, serve } from './world/served.ts';
import { shortEstimates } from './world/short-estimates.ts';

/** One transaction at a time: whatever comes meanwhile goes together in the next. */
const batching = { batches: false, forwarder: true, maxInFlight: 1, confirmations: 2 };

async function postMany({ post }: Served, count: number): Promise<void> {
  for (let number = 0; number < count; number++) await post(alice, `article ${number}`);
}

/** How many operations were in each transaction that the chain has, and whether it succeeded. */
async function batchesOf({ world }: Served): Promise<[number, boolean][]> {
  const receipts = await world.chain.receipts();
  return receipts.map(({ data, succeeded }) => [callsInside(data).length, succeeded]);
}

/** What the lane bound last; nothing before the first. */
async function newestPayload({ world }: Served): Promise<Payload> {
  const { records, lane } = world;
  const { nextNonce = 0 } = (await findLaneState(records, lane)) ?? {};
  return nextNonce > 0 ? findPayload(records, lane, nextNonce - 1) : { operations: [], data: '0x' };
}

test('row 23: a batch that runs out of gas goes out in halves until each has enough', async () => {
  const service = await serve(batching);
  service.world.providers[0]?.set(shortEstimates(2));
  await postMany(service, 9);
  await service.endsByRule();
  await expectAllConfirmed(service.world, 9);
  const batches = await batchesOf(service);
  expect(batches).toContainEqual([9, false]);
  expect(batches).toContainEqual([4, false]);
  // Three reveals may have gas enough: what others could make dearer is on top of the estimate.
  for (const [size, succeeded] of batches.filter(([length]) => length !== 3))
    expect([size, succeeded]).toEqual([size, size <= 2]);
});

test('row 23: a batch that the forwarder refuses as a whole is made again in halves', async () => {
  const service = await serve(batching);
  const { chain, contracts, signer } = service.world;
  await postMany(service, 5);
  await service.until(async () => (await newestPayload(service)).operations.length === 4);
  await chain.removeOperator(contracts.forwarderAddress, signer.address);
  await chain.addOperator(contracts.forwarderAddress, signer.address);
  await service.endsByRule();
  await expectAllConfirmed(service.world, 5);
  const batches = await batchesOf(service);
  const failed = batches.findIndex(([, succeeded]) => !succeeded);
  expect(batches.slice(failed, failed + 3)).toEqual([
    [4, false],
    [2, true],
    [2, true],
  ]);
});

test('row 23: reveals whose contents somebody else attests meanwhile take more gas, and land', async () => {
  const service = await serve(batching);
  const { chain } = service.world;
  await postMany(service, 6);
  const rows = await rowsOf(service.world);
  await service.until(async () => {
    const { operations } = await newestPayload(service);
    return operations.length >= 4 && operations.every(({ kind }) => kind === 'reveal');
  });
  chain.minTip = excessiveTip;
  for (const { digest } of rows) await chain.attest(bob.authorityAddress, digest);
  chain.minTip = 0n;
  await service.endsByRule();
  await expectAllConfirmed(service.world, 6);
  expect((await batchesOf(service)).filter(([, succeeded]) => !succeeded)).toEqual([]);
  const records = await registryRecords(service.world);
  const indexOf = (digest: string, { authorityAddress }: Caller) =>
    records.find((one) => one.digest === digest && one.authorityAddress === authorityAddress)
      ?.attestationIndex;
  const later = rows.filter(({ digest }) => Number(indexOf(digest, alice)) > Number(indexOf(digest, bob)));
  expect(later.length, 'revealed after another had revealed the same').toBeGreaterThanOrEqual(4);
});
