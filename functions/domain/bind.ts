import type { Attestation } from './attestation.ts';
import type { LaneState, Operation, Transaction } from './lane.ts';
import {
  changedState,
  changeState,
  putTransaction,
  type StateFields,
  takeOperation,
} from './lane-records.ts';
import type { Call } from './ports.ts';
import type { Services } from './services.ts';

/** An operation whose turn it is, with what it takes to send it. */
export interface Candidate {
  readonly state: LaneState;
  readonly operation: Operation;
  readonly row: Attestation;
  readonly call: Call;
}

export interface Bound {
  readonly state: LaneState;
  readonly transaction: Transaction;
}

function transactionOf({ state, operation, row, call }: Candidate, gasLimit: bigint): Transaction {
  const isLink = operation.kind === 'link';
  return {
    schema: 1,
    lane: state.lane,
    nonce: state.nextNonce,
    operations: [isLink ? { ...operation, childSequence: row.childSequence } : operation],
    to: call.to,
    data: call.data,
    gasLimit,
    attempts: [],
    state: 'open',
    version: 1,
  };
}

/**
 * The one write that gives an operation its nonce. A crash right after leaves a transaction that AdvanceLane signs.
 *
 * @param blockNumber the newest block
 * @returns nothing when somebody else changed the lane, or took the operation, meanwhile
 */
export async function bind(
  services: Services,
  candidate: Candidate,
  gasLimit: bigint,
  blockNumber: number,
): Promise<Bound | undefined> {
  const { state, operation } = candidate;
  const transaction = transactionOf(candidate, gasLimit);
  const isLowest = state.minedNonce === transaction.nonce;
  const fields: StateFields = {
    nextNonce: transaction.nonce + 1,
    lastOrganizationId: operation.organizationId,
    cappedSince: undefined,
    ...(isLowest ? { lowestSinceBlock: blockNumber } : {}),
  };
  const done = await services.records.transact([
    changeState(state, fields),
    putTransaction(transaction),
    takeOperation(state.lane, operation),
  ]);
  return done ? { state: changedState(state, fields), transaction } : undefined;
}
