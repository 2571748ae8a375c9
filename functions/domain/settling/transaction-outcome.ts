import type { Attestation } from '../attestation/attestation.ts';
import type { Block, Chain, Receipt } from '../chain.ts';
import type { BoundOperation, LaneState, Payload, Transaction } from '../lane/lane.ts';
import type { Outcome } from '../operation/outcome.ts';
import { registryCall } from '../operation/registry-call.ts';
import { diagnoseRevert, tryAgain } from '../operation/revert-diagnosis.ts';

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

/** Whether the receipt shows that the transaction did the operation at that position. */
export function did({ attempts }: Transaction, receipt: Receipt | undefined, position: number): boolean {
  if (!receipt?.succeeded || receipt.failedPositions.includes(position)) return false;
  return attempts.some(({ hash, cancels }) => hash === receipt.hash && !cancels);
}

/** Whether the operation was freed or ended when the transaction was final for the first time. */
function wasFreed(transaction: Transaction, position: number): boolean {
  const { formerReceipt, lostTo } = transaction;
  return formerReceipt ? !did(transaction, formerReceipt, position) : lostTo !== undefined;
}

/** Whether the transaction reverted as a whole: none of its operations was even tried to the end. */
function reverted({ receipt }: Settlement): boolean {
  return receipt !== undefined && !receipt.succeeded;
}

/**
 * Determines the outcome of the operation at a position; `undefined` as long as it is unknown. A transaction that did
 * not do the operation shows nothing until it is final; then the views at that depth show why.
 */
export async function outcomeAt(
  chain: Chain,
  settlement: Settlement,
  { operations }: Payload,
  row: Attestation,
  position: number,
): Promise<Outcome | undefined> {
  const { transaction, receipt, final } = settlement;
  const operation = operations[position];
  if (!operation) return undefined;
  if (receipt && did(transaction, receipt, position)) {
    const { hash, blockTimestamp } = receipt;
    return { kind: final ? 'final' : 'mined', hash, blockTimestamp };
  }
  if (!final || wasFreed(transaction, position)) return undefined;
  const { reverts = 0, batchLimit } = operation;
  if (reverted(settlement) && operations.length > 1) {
    return { kind: 'free', reverts, batchLimit: Math.floor(operations.length / 2) };
  }
  const wasTried =
    receipt !== undefined && transaction.attempts.some((one) => one.hash === receipt.hash && !one.cancels);
  if (!wasTried && (await isAttested(chain, row, operation))) return { kind: 'attested' };
  if (!wasTried) return { kind: 'free', reverts, ...(batchLimit ? { batchLimit } : {}) };
  const failed = await failedOutcome(chain, row, operation);
  return failed.kind === 'refused' ? { ...failed, hash: receipt.hash } : failed;
}

/**
 * The transaction that used the nonce instead may have done it: a lane restored from a backup does not know its own
 * transactions.
 */
async function isAttested(chain: Chain, row: Attestation, { kind }: BoundOperation): Promise<boolean> {
  if (kind === 'link') return false;
  const { attestationIndex } = await chain.atFinal((view) => view.registryState(row));
  return attestationIndex > 0;
}

async function failedOutcome(chain: Chain, row: Attestation, operation: BoundOperation): Promise<Outcome> {
  const { kind, reverts = 0, batchLimit } = operation;
  const diagnosis = await diagnoseRevert(chain, row, operation, registryCall(row, kind));
  if (diagnosis.kind !== 'unknown') return diagnosis;
  if (reverts < maxReverts)
    return { kind: 'free', reverts: reverts + 1, ...(batchLimit ? { batchLimit } : {}) };
  return {
    kind: 'refused',
    reason: `the transaction reverted ${maxReverts + 1} times; ${tryAgain(kind)}`,
  };
}
