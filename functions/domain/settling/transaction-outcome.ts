import type { Attestation } from '../attestation/attestation.ts';
import type { Block, Receipt } from '../chain.ts';
import type { LaneState, Operation, Payload, Transaction } from '../lane/lane.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import type { Outcome } from '../operation/outcome.ts';
import { registryCall } from '../operation/registry-call.ts';
import { type Diagnosis, diagnoseReverts, tryAgain } from '../operation/revert-diagnosis.ts';

/**
 * Times that a transaction is made again after a revert for no lasting reason, for example because it ran out of gas.
 */
const maxReverts = 3;

/** Settlement of one transaction: what a snapshot shows of it. */
export interface Settlement {
  readonly state: LaneState;
  readonly transaction: Transaction;
  /** Receipt of the transaction; absent when its nonce was lost (`lostTo`). */
  readonly receipt?: Receipt;
  readonly lostTo?: Transaction['lostTo'];
  readonly final: boolean;
  readonly head: Block;
}

/**
 * Whether the receipt shows that the transaction did an operation.
 *
 * @param index its place among the transaction's operations
 */
export function did(
  { attempts }: Transaction,
  receipt: Receipt | undefined,
  { position }: Operation,
  index: number,
): boolean {
  if (!receipt?.succeeded || receipt.failedPositions.includes(position ?? index)) return false;
  return attempts.some(({ hash, cancels }) => hash === receipt.hash && !cancels);
}

/** Whether the operation was freed or ended when the transaction was final for the first time. */
function wasFreed(transaction: Transaction, operation: Operation, index: number): boolean {
  const { formerReceipt, lostTo } = transaction;
  return formerReceipt ? !did(transaction, formerReceipt, operation, index) : lostTo !== undefined;
}

/**
 * Determines the outcomes of the transaction's operations, in their order; `undefined` for one that is unknown or was
 * freed before. A transaction that did not do an operation shows nothing until it is final; then the views at that depth
 * show why.
 *
 * @param rows the operations' attestations, as far as they can be read
 */
export async function outcomesOf(
  services: LaneServices,
  settlement: Settlement,
  { operations, leaves }: Payload,
  rows: readonly (Attestation | undefined)[],
): Promise<(Outcome | undefined)[]> {
  const { transaction, receipt, final } = settlement;
  const undone = operations.map(
    (one, index) => final && !did(transaction, receipt, one, index) && !wasFreed(transaction, one, index),
  );
  // Reverted as a whole, none of several was even tried to the end.
  const batchLimit = receipt?.succeeded === false ? Math.floor(operations.length / 2) : 0;
  const failed = operations.flatMap((operation, position) => {
    const row = rows[position];
    const call = row && undone[position] && batchLimit === 0 && registryCall(row, operation.kind);
    return call ? [{ operation, row, call }] : [];
  });
  const diagnoses = await diagnoseReverts(services, failed);
  return operations.map((operation, position) => {
    if (receipt && did(transaction, receipt, operation, position)) {
      const { hash, blockTimestamp } = receipt;
      const batch = leaves && { lane: transaction.lane, nonce: transaction.nonce, position };
      return { kind: final ? 'final' : 'mined', hash, blockTimestamp, batch };
    }
    if (undone[position] && batchLimit > 0)
      return { kind: 'free', reverts: operation.reverts ?? 0, batchLimit };
    const diagnosis = diagnoses.get(operation);
    return diagnosis && failedOutcome(settlement, operation, diagnosis);
  });
}

/**
 * The outcome of an operation that a final transaction did not do. One that used the nonce instead may have done it: a
 * lane restored from a backup does not know its own transactions.
 */
function failedOutcome(
  { transaction, receipt }: Settlement,
  { kind, reverts = 0, batchLimit }: Operation,
  diagnosis: Diagnosis,
): Outcome {
  if (diagnosis.kind === 'attested') return diagnosis;
  const free = { kind: 'free', ...(batchLimit ? { batchLimit } : {}) } as const;
  const wasTried = transaction.attempts.some(({ hash, cancels }) => hash === receipt?.hash && !cancels);
  if (!receipt || !wasTried) return { ...free, reverts };
  const { hash } = receipt;
  if (diagnosis.kind === 'refused') return { ...diagnosis, hash };
  if (reverts < maxReverts) return { ...free, reverts: reverts + 1 };
  const reason = `the transaction reverted ${maxReverts + 1} times; ${tryAgain(kind)}`;
  return { kind: 'refused', reason, hash };
}
