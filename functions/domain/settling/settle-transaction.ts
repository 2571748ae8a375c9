import { findReadable } from '../attestation/attestation-records.ts';
import { refreshEntry } from '../attestation/refresh-entry.ts';
import { LostRaceError } from '../errors.ts';
import type { LaneState, Payload } from '../lane/lane.ts';
import { type StateFields, writeState } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { changedTransaction, changeTransaction, findPayload } from '../lane/transaction-records.ts';
import { outcomeChanges } from '../operation/outcome.ts';
import { sendTaskAnswers } from '../operation/task-answer.ts';
import { withFeeUsage } from '../organization/fee-usage.ts';
import type { Change } from '../records.ts';
import { dayOf, spentWith } from '../sending/funds.ts';
import { did, outcomesOf, type Settlement } from './transaction-outcome.ts';

/** Changes that one write can hold beside those of the transaction, its payload and the lane. */
const maxOperationChanges = 97;

/**
 * Records a mined or final transaction: rows, transaction and lane in one write, so that it happens once; then answers
 * the waiting tasks. Where one write cannot hold all of it, several do, and the transaction counts the operations
 * recorded so far.
 *
 * @returns the lane's state after it
 * @throws LostRaceError
 */
export async function settle(services: LaneServices, settlement: Settlement): Promise<LaneState> {
  const { state, transaction, final } = settlement;
  const payload = await findPayload(services.records, state.lane, transaction.nonce);
  const paid = {
    ...payload,
    ...services.laneChain.settings,
    fee: final ? feeOf(settlement) : 0n,
    now: services.now(),
  };
  const changes = withFeeUsage(await changesOf(services, settlement, payload), paid);
  const settled = await write(services, settlement, changes, isFinalityAwaited(settlement, payload));
  await sendTaskAnswers(services, payload.operations, final);
  return settled;
}

/** Whether something waits for the transaction to be final. Of a commit that is done, nothing does. */
function isFinalityAwaited({ transaction, receipt }: Settlement, { operations }: Payload): boolean {
  return operations.some((one, index) => one.kind !== 'commit' || !did(transaction, receipt, one, index));
}

/** The changes of each operation, in their order. */
async function changesOf(services: LaneServices, settlement: Settlement, payload: Payload) {
  const rows = await findReadable(services, payload.operations);
  // Revealed again, after a reorganisation deeper than any was meant to be, it has another index and time. Before the
  // settlement is written: after it nothing would look again.
  for (const [position, { kind }] of payload.operations.entries()) {
    const row = rows[position];
    if (row && kind === 'reveal' && settlement.final)
      await refreshEntry(services, row, settlement.receipt?.blockTimestamp);
  }
  const outcomes = await outcomesOf(services, settlement, payload, rows);
  return payload.operations.map((operation, position) => {
    const [row, outcome] = [rows[position], outcomes[position]];
    return row && outcome ? outcomeChanges(row, operation, outcome, services.laneChain.settings) : [];
  });
}

/**
 * Writes each operation's changes together, as many as one write can hold, and the last of them with the transaction and the
 * lane. What an earlier try recorded of it is passed over.
 */
async function write(
  services: LaneServices,
  settlement: Settlement,
  changes: readonly Change[][],
  isAwaited: boolean,
): Promise<LaneState> {
  const { records, now } = services;
  const { state, final } = settlement;
  let { transaction } = settlement;
  let part: Change[] = [];
  const recorded = final ? transaction.settledCount : 0;
  for (const [position, one] of changes.entries()) {
    if (position < recorded) continue;
    if (part.length + one.length > maxOperationChanges) {
      const change = { settledCount: position };
      if (!(await records.transact([...part, ...changeTransaction(transaction, change, now())])))
        throw new LostRaceError();
      transaction = changedTransaction(transaction, change);
      part = [];
    }
    part.push(...one);
  }
  const { receipt, lostTo } = settlement;
  const seen = { state: final ? 'final' : 'mined', receipt, ...(lostTo ? { lostTo } : {}) } as const;
  const settled = {
    ...seen,
    settledCount: 0,
    finalityAwaited: isAwaited && !final ? true : undefined,
  } as const;
  return writeState(services, state, settledStateFields(settlement, now()), [
    ...part,
    ...changeTransaction(transaction, settled, now()),
  ]);
}

function settledStateFields(settlement: Settlement, now: Date): StateFields {
  const { state, transaction, final, head, lostTo } = settlement;
  const above = transaction.nonce + 1;
  return {
    ...(state.minedNonce < above ? { minedNonce: above, lowestSinceBlock: head.number } : {}),
    ...(final ? { finalNonce: above, spent: spentWith(state, unspent(settlement, now), now) } : {}),
    ...(lostTo === 'foreign' && !transaction.lostTo
      ? { paused: `somebody else used the key's nonce ${transaction.nonce}` }
      : {}),
  };
}

/** Fee to account for, in wei: when the transaction was final before, what it costs beyond the fee paid then. */
function feeOf({ transaction: { formerReceipt }, receipt }: Settlement): bigint {
  return (receipt?.fee ?? 0n) - (formerReceipt?.fee ?? 0n);
}

/**
 * Amount to add to what was spent today, in wei: the fee paid, less what was set aside when the nonce was assigned; 0
 * for a transaction of another day. For one that was final before, what was counted then is subtracted instead.
 */
function unspent({ transaction, receipt }: Settlement, now: Date): bigint {
  const { attempts, boundAt, gasLimit, rollupFee = 0n, formerReceipt, lostTo } = transaction;
  if (dayOf(new Date(boundAt)) !== dayOf(now)) return 0n;
  const setAside = lostTo ? 0n : gasLimit * (attempts[0]?.maxFeePerGas ?? 0n) + rollupFee;
  return (receipt?.fee ?? 0n) - (formerReceipt?.fee ?? setAside);
}
