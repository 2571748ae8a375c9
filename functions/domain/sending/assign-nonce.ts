import type { Call, SignerFeeData } from '../chain.ts';
import type { LaneState, Payload, Queue, Transaction } from '../lane/lane.ts';
import { changedState, changeState, type StateFields } from '../lane/lane-records.ts';
import { takeOperation } from '../lane/queue-records.ts';
import { putPayload, putTransaction } from '../lane/transaction-records.ts';
import type { Candidate } from '../operation/candidates.ts';
import type { Services } from '../services.ts';

/** A transaction about to be made of operations whose turn it is. */
export interface Proposal {
  readonly state: LaneState;
  readonly queue: Queue;
  readonly batch: readonly Candidate[];
  readonly envelope: Call;
  readonly gasLimit: bigint;
  readonly feeData: SignerFeeData;
  /** The organisation of the queue that had the last turn with it; nothing when the queue is emptied. */
  readonly lastOrganizationId: string | undefined;
}

export interface Bound {
  readonly state: LaneState;
  readonly transaction: Transaction;
  readonly payload: Payload;
}

function newTransaction({ state, envelope, gasLimit }: Proposal, now: Date): Transaction {
  return {
    schema: 1,
    lane: state.lane,
    nonce: state.nextNonce,
    to: envelope.to,
    gasLimit,
    boundAt: now.toISOString(),
    attempts: [],
    state: 'open',
    settledCount: 0,
    version: 1,
  };
}

/** A link carries the link intent of the moment: its settlement sees whether the link intent has moved on. */
function newPayload({ batch, envelope }: Proposal): Payload {
  const operations = batch.map(({ operation, row }) =>
    operation.kind === 'link' ? { ...operation, childSequence: row.childSequence } : operation,
  );
  return { operations, data: envelope.data };
}

function turnsTaken({ state, queue, lastOrganizationId }: Proposal): LaneState['lastOrganizationIds'] {
  const { [queue.delegateAddress]: _, ...others } = state.lastOrganizationIds ?? {};
  if (lastOrganizationId === undefined) return others;
  return { ...others, [queue.delegateAddress]: lastOrganizationId };
}

/**
 * The one write that gives operations their nonce. A crash right after leaves a transaction that AdvanceLane signs.
 *
 * @param spent what the lane will have spent today with it
 * @returns nothing when somebody else changed the lane, or took one of the operations, meanwhile
 */
export async function bind(
  { records, now }: Services,
  proposal: Proposal,
  spent: LaneState['spent'],
): Promise<Bound | undefined> {
  const { state, queue, batch, feeData } = proposal;
  const transaction = newTransaction(proposal, now());
  const payload = newPayload(proposal);
  const isLowest = state.minedNonce === transaction.nonce;
  const fields: StateFields = {
    nextNonce: transaction.nonce + 1,
    lastOrganizationIds: turnsTaken(proposal),
    cappedSince: undefined,
    spent,
    ...(isLowest ? { lowestSinceBlock: feeData.blockNumber } : {}),
  };
  const done = await records.transact([
    changeState(state, fields),
    putTransaction(transaction),
    putPayload(transaction, payload),
    ...batch.map(({ operation }) => takeOperation(queue, operation)),
  ]);
  return done ? { state: changedState(state, fields), transaction, payload } : undefined;
}
