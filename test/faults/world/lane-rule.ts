import type { Address } from 'viem';
import { expect } from 'vitest';
import { type LaneState, laneName } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { findTransaction } from '../../../functions/domain/lane/transaction-records.ts';
import type { MinedTransaction } from '../../fakes/chain/block-maker.ts';
import type { RealWorld } from '../../fakes/real/real-world.ts';

/** Each lane is where the chain is, without a gap, and the chain has nothing of it that was not stored before. */
export async function checkRealLanes(world: RealWorld, mined: readonly MinedTransaction[]): Promise<void> {
  const { records, signer, signers, chain, unstored } = world;
  expect(unstored, 'sent before they were stored').toEqual([]);
  const bySender = Map.groupBy(mined, ({ sender }) => sender);
  for (const { address } of [signer, ...signers.values()]) {
    const state = await findLaneState(records, laneName(chain.settings.chainId, address));
    if (state) await checkLane(world, state, bySender.get(address) ?? []);
    else expect(bySender.get(address) ?? [], `transactions of ${address}, which has no lane`).toEqual([]);
  }
  await checkQueues(world);
}

async function checkLane(world: RealWorld, state: LaneState, mined: readonly MinedTransaction[]) {
  const { lane, nextNonce, minedNonce, finalNonce, retired } = state;
  const nonces = mined.map(({ nonce }) => nonce);
  expect(nonces, lane).toEqual(nonces.map((_, position) => position));
  expect([minedNonce, finalNonce], lane).toEqual([nextNonce, nextNonce]);
  // What a revoked key could not send any more was bound, and is lost.
  if (retired === 'revoked') expect(nextNonce, lane).toBeGreaterThanOrEqual(nonces.length);
  else expect(nextNonce, lane).toBe(nonces.length);
  for (const transaction of mined) await checkTransaction(world, lane, transaction);
}

async function checkTransaction({ records }: RealWorld, lane: string, mined: MinedTransaction) {
  const { nonce, hash, receipt } = mined;
  const stored = await findTransaction(records, lane, nonce);
  if (mined.foreign) {
    // Where the lane had bound the nonce, it knows that it lost it.
    expect(stored?.lostTo ?? 'foreign', `nonce ${nonce} of ${lane}`).toBe('foreign');
    return;
  }
  if (stored?.lostTo === 'revocation') {
    expect(mined.succeeded, `nonce ${nonce} of ${lane}, which was lost`).toBe(false);
    return;
  }
  expect(stored, `nonce ${nonce} of ${lane}`).toMatchObject({ state: 'final', receipt });
  const hashes = stored?.attempts.map((attempt) => attempt.hash);
  expect(hashes, `attempts at nonce ${nonce} of ${lane}`).toContain(hash);
}

/** Nothing waits in any queue, whoever is its delegate. */
async function checkQueues({ records, owes }: RealWorld): Promise<void> {
  const stored = await records.all();
  const waiting = stored.filter(({ key }) => key.table === 'queue' && key.sk !== 'ROUND');
  expect(
    waiting.map(({ key }) => key.sk),
    'queued operations',
  ).toEqual([]);
  expect(await owes()).toBe(false);
}

/** What these keys' own lanes signed: somebody else may have one of them too. */
export function ofOurs(mined: readonly MinedTransaction[], ours: readonly Address[]): MinedTransaction[] {
  return mined.filter((one) => ours.includes(one.sender) && !one.foreign);
}
