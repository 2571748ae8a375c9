import type { Attestation } from '../attestation/attestation.ts';
import { findReadable } from '../attestation/attestation-records.ts';
import { refreshEntry } from '../attestation/refresh-entry.ts';
import type { Block, Receipt } from '../chain.ts';
import { LostRaceError } from '../errors.ts';
import type { LaneState, Operation, Payload, Transaction } from '../lane/lane.ts';
import { type StateFields, writeState } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { changedTransaction, changeTransaction, findPayload } from '../lane/transaction-records.ts';
import { candidateOf } from '../operation/candidates.ts';
import { type Outcome, outcomeChanges } from '../operation/outcome.ts';
import { type Diagnosis, diagnoseReverts, tryAgain } from '../operation/revert-diagnosis.ts';
import { sendTaskAnswers } from '../operation/task-answer.ts';
import { withFeeUsage } from '../organization/fee-usage.ts';
import type { Change } from '../records.ts';
import { addSpending, utcDay } from '../sending/funds.ts';

/** Changes that fit in one write besides those of the transaction, its payload and the lane. */
const maxOperationChanges = 97;

/** Maximum retries of an operation whose transaction reverts for no lasting reason, such as too little gas. */
const maxReverts = 3;

export interface Settlement {
  readonly state: LaneState;
  readonly transaction: Transaction;
  readonly receipt?: Receipt;
  readonly lostTo?: Transaction['lostTo'];
  readonly final: boolean;
  readonly head: Block;
}

/**
 * Records a mined or final transaction, and answers the waiting tasks. Rows, transaction and lane change in one write,
 * so that nothing is recorded twice. If several writes are needed, the transaction counts the operations recorded so
 * far.
 */
export async function settle(services: LaneServices, settlement: Settlement): Promise<LaneState> {
  const { state, transaction, final } = settlement;
  const payload = await findPayload(services.records, state.lane, transaction.nonce);
  const fee = final ? additionalFee(settlement, 0n) : 0n;
  const paid = { ...payload, ...services.laneChain.settings, fee, now: services.now() };
  const changes = withFeeUsage(await changesOf(services, settlement, payload), paid);
  const settled = await write(services, settlement, changes, isFinalityAwaited(settlement, payload));
  await sendTaskAnswers(services, payload.operations, final);
  return settled;
}

/** Whether something waits for the transaction's finality. Nothing waits for the finality of successful commits. */
function isFinalityAwaited({ transaction, receipt, final }: Settlement, { operations }: Payload): boolean {
  const isDone = doneCheck(transaction, receipt);
  return !final && operations.some((operation, i) => operation.kind !== 'commit' || !isDone(operation, i));
}

/** Returns a function that checks whether the receipt's transaction did the operation at an index. */
export function doneCheck(transaction: Transaction, receipt?: Receipt) {
  if (!receipt?.succeeded || !isCallReceipt(transaction, receipt)) return () => false;
  return ({ position }: Operation, index: number) => !receipt.failedPositions.includes(position ?? index);
}

/** Whether the receipt belongs to an attempt with the transaction's call, not to its cancellation. */
function isCallReceipt({ attempts }: Transaction, receipt: Receipt): boolean {
  return attempts.some(({ hash, cancels }) => hash === receipt.hash && !cancels);
}

async function changesOf(services: LaneServices, settlement: Settlement, payload: Payload) {
  const rows = await findReadable(services, payload.operations);
  // A repeated reveal has another index and time. This reads the registry's entry before the write: if the read fails,
  // the next tick settles the transaction again.
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
 * Determines the outcomes of the transaction's operations; `undefined` if unknown, or if the operation was freed or
 * ended when the transaction was final before. An operation that was not done has no outcome until the transaction is
 * final. Then a view of the final block shows the reason.
 */
async function outcomesOf(
  services: LaneServices,
  settlement: Settlement,
  { operations, leaves }: Payload,
  rows: readonly (Attestation | undefined)[],
): Promise<(Outcome | undefined)[]> {
  const { transaction, receipt, final } = settlement;
  const { lane, nonce, formerReceipt, lostTo } = transaction;
  const [isDone, wasDone] = [doneCheck(transaction, receipt), doneCheck(transaction, formerReceipt)];
  const undone = operations.map((one, index) => {
    const wasFreed = formerReceipt ? !wasDone(one, index) : lostTo !== undefined;
    return final && !isDone(one, index) && !wasFreed;
  });
  // If a transaction with several operations reverted as a whole, none of them was tried completely.
  const batchLimit = receipt?.succeeded === false ? Math.floor(operations.length / 2) : 0;
  const tried = rows.map((row, index) => (undone[index] && batchLimit === 0 ? row : undefined));
  const failed = operations.flatMap((one, index) => candidateOf(one, tried[index]) ?? []);
  const diagnoses = await diagnoseReverts(services, failed);
  return operations.map((operation, position) => {
    if (receipt && isDone(operation, position)) {
      const { hash, blockTimestamp } = receipt;
      const batch = leaves && { lane, nonce, position };
      return { kind: final ? 'final' : 'mined', hash, blockTimestamp, batch };
    }
    if (undone[position] && batchLimit > 0)
      return { kind: 'free', reverts: operation.reverts ?? 0, batchLimit };
    const diagnosis = diagnoses.get(operation);
    return diagnosis && failedOutcome(settlement, operation, diagnosis);
  });
}

/** A restored lane may not know all of its transactions, so another one may have attested the content. */
function failedOutcome(settlement: Settlement, operation: Operation, diagnosis: Diagnosis): Outcome {
  if (diagnosis.kind === 'attested') return diagnosis;
  const { transaction, receipt } = settlement;
  const { kind, reverts = 0, batchLimit } = operation;
  const free = { kind: 'free', ...(batchLimit ? { batchLimit } : {}) } as const;
  if (!receipt || !isCallReceipt(transaction, receipt)) return { ...free, reverts };
  const { hash } = receipt;
  if (diagnosis.kind === 'refused') return { ...diagnosis, hash };
  if (reverts < maxReverts) return { ...free, reverts: reverts + 1 };
  const reason = `${maxReverts + 1} transactions reverted; ${tryAgain(kind)}`;
  return { kind: 'refused', reason, hash };
}

/** Writes each operation's changes together, the last ones with transaction and lane. Skips recorded operations. */
async function write(
  { records, now }: LaneServices,
  settlement: Settlement,
  changes: readonly Change[][],
  isAwaited: boolean,
): Promise<LaneState> {
  const { state, final, receipt, lostTo } = settlement;
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
  const result = { state: final ? 'final' : 'mined', receipt, ...(lostTo ? { lostTo } : {}) } as const;
  const settled = { ...result, settledCount: 0, finalityAwaited: isAwaited || undefined };
  part.push(...changeTransaction(transaction, settled, now()));
  return writeState({ records }, state, settledStateFields(settlement, now()), part);
}

function settledStateFields(settlement: Settlement, now: Date): StateFields {
  const { state, transaction, final, head, lostTo } = settlement;
  const next = transaction.nonce + 1;
  return {
    ...(state.minedNonce < next ? { minedNonce: next, lowestSinceBlock: head.number } : {}),
    ...(final ? { finalNonce: next, spent: addSpending(state, correction(settlement, now), now) } : {}),
    ...(lostTo === 'foreign' && !transaction.lostTo
      ? { paused: `another program used the key's nonce ${transaction.nonce}` }
      : {}),
  };
}

/**
 * Computes the fee in wei beyond the counted amount. If the transaction was final before, the counted amount is the fee
 * of its former receipt.
 */
function additionalFee({ transaction: { formerReceipt }, receipt }: Settlement, counted: bigint): bigint {
  return (receipt?.fee ?? 0n) - (formerReceipt?.fee ?? counted);
}

/** Computes the wei by which the fee differs from the reserved amount; 0 if the nonce was assigned on another day. */
function correction(settlement: Settlement, now: Date): bigint {
  const { attempts, boundAt, gasLimit, rollupFee = 0n, lostTo } = settlement.transaction;
  if (utcDay(new Date(boundAt)) !== utcDay(now)) return 0n;
  return additionalFee(settlement, lostTo ? 0n : gasLimit * (attempts[0]?.maxFeePerGas ?? 0n) + rollupFee);
}
