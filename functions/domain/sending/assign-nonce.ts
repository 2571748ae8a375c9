import { concat } from 'viem';
import type { Call, SignerFeeData } from '../chain.ts';
import type { LaneState, Operation, Payload, Queue } from '../lane/lane.ts';
import { type StateFields, writeState } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { takeOperation } from '../lane/queue-records.ts';
import { newTransaction, putTransaction } from '../lane/transaction-records.ts';
import type { Candidate } from '../operation/candidates.ts';
import { leafOf } from '../operation/registry-call.ts';
import type { CallBatch } from './batch-call.ts';
import { rollupFeeOf } from './fees.ts';

export interface Draft extends CallBatch {
  readonly state: LaneState;
  readonly queue: Queue;
  readonly call: Call;
  readonly gasLimit: bigint;
  readonly feeData: SignerFeeData;
  /** Amount that the lane has spent today, including this transaction. */
  readonly spent: LaneState['spent'];
}

function newPayload({ batch, isOneCall, call: { data } }: Draft): Payload {
  const operations = batch.map(boundOperation);
  const isBatchCommit = isOneCall && operations[0]?.kind === 'commit';
  if (!isBatchCommit) return { operations, data };
  return { operations, data, leaves: concat(batch.map(({ row }, position) => leafOf(row, position))) };
}

/** A link stores the fields that its call contains. If the row changes before signing, the settlement detects it. */
function boundOperation({ operation, row }: Candidate): Operation {
  const { childSequence, childAttestationId, attestationIndex = 0, batch } = row;
  if (operation.kind === 'link') return { ...operation, childSequence, childAttestationId, attestationIndex };
  return operation.kind === 'reveal' && batch ? { ...operation, position: batch.position } : operation;
}

/** Assigns a nonce in one write. If the process crashes afterwards, AdvanceLane signs the transaction. */
export async function assignNonce(services: LaneServices, draft: Draft) {
  const { state, queue, batch, call, gasLimit, feeData, spent } = draft;
  const rollupFee = rollupFeeOf(feeData, gasLimit);
  const bound = newTransaction(services, state.nextNonce, call.to, gasLimit);
  const transaction = rollupFee > 0n ? { ...bound, rollupFee } : bound;
  const payload = newPayload(draft);
  const isLowest = state.minedNonce === transaction.nonce;
  const fields: StateFields = {
    nextNonce: transaction.nonce + 1,
    cappedSince: undefined,
    spent,
    ...(isLowest ? { lowestSinceBlock: Math.max(state.lowestSinceBlock, feeData.blockNumber) } : {}),
  };
  const assigned = await writeState(services, state, fields, [
    ...putTransaction(transaction, payload),
    ...batch.map(({ operation }) => takeOperation(queue, operation)),
  ]);
  return { state: assigned, transaction, payload };
}
