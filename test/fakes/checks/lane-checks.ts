import type { Hash } from 'viem';
import { expect } from 'vitest';
import { type LaneState, parseLane } from '../../../functions/domain/lane/lane.ts';
import { findTransaction, transactionRecord } from '../../../functions/domain/lane/transaction-records.ts';
import type { Fields } from '../../../functions/domain/records.ts';
import type { MinedTransaction } from '../chain/block-maker.ts';
import type { World } from '../world/world.ts';

export function storedAttempts(fields: Fields | undefined): Hash[] {
  const attempts = fields?.attempts as readonly { hash: Hash }[] | undefined;
  return (attempts ?? []).map(({ hash }) => hash);
}

/**
 * Checks that each lane agrees with the chain, without a gap, and that every mined transaction of a lane was stored.
 */
export async function checkLanes(world: World): Promise<void> {
  const bySender = Map.groupBy(world.chain.receipts(), ({ sender }) => sender);
  for (const state of await world.lanes()) {
    const mined = bySender.get(parseLane(state.lane).signerAddress) ?? [];
    checkNonces(state, mined);
    for (const transaction of mined) await checkTransaction(world, state, transaction);
  }
}

function checkNonces(state: LaneState, mined: readonly MinedTransaction[]): void {
  const { lane, nextNonce, minedNonce, finalNonce, retired } = state;
  const nonces = mined.map(({ nonce }) => nonce);
  expect(nonces, lane).toEqual(nonces.map((_, position) => position));
  expect([minedNonce, finalNonce], lane).toEqual([nextNonce, nextNonce]);
  // The service ignores what others do with a retired key.
  const minNextNonce = retired ? mined.findLastIndex(({ foreign }) => !foreign) + 1 : nonces.length;
  expect(nextNonce, lane).toBeGreaterThanOrEqual(minNextNonce);
  // Transactions that a revoked key could not send any more are lost.
  if (retired !== 'revoked') expect(nextNonce, lane).toBeLessThanOrEqual(nonces.length);
}

async function checkTransaction(
  { records }: World,
  { lane }: LaneState,
  mined: MinedTransaction,
): Promise<void> {
  const { nonce, hash, foreign } = mined;
  const transaction = await findTransaction(records, lane, nonce);
  if (foreign) {
    // If the lane had assigned the nonce, its record shows that the nonce was lost.
    if (transaction) expect(transaction.lostTo, `nonce ${nonce} of ${lane}`).toBeDefined();
    return;
  }
  if (transaction?.lostTo === 'revocation') {
    // A cancellation may be mined at any time: it does nothing.
    const cancels = transaction.attempts.some((attempt) => attempt.hash === hash && attempt.cancels);
    expect(mined.succeeded && !cancels, `lost nonce ${nonce} of ${lane}`).toBe(false);
    return;
  }
  expect(storedAttempts(records.peek(transactionRecord(lane, nonce)))).toContain(hash);
  expect(transaction, `nonce ${nonce} of ${lane}`).toMatchObject({ state: 'final', receipt: mined.receipt });
}
