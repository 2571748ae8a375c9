import type { LaneState, Transaction } from './lane.ts';
import {
  changedState,
  changeState,
  changeTransaction,
  expirePayload,
  findPayload,
  findTransaction,
} from './lane-records.ts';
import { undoneChanges } from './outcome.ts';
import type { Block, Sighting } from './ports.ts';
import type { Services } from './services.ts';
import { did, rowsOf } from './settlement.ts';

/** Another block is now where its own was. A provider that has none there yet only lags. */
export function isUndone(transaction: Transaction | undefined, { blockHashes }: Sighting): boolean {
  const { receipt } = transaction ?? {};
  const canonical = receipt && blockHashes.get(receipt.blockNumber);
  return canonical !== undefined && canonical !== receipt?.blockHash;
}

/**
 * Reopens the transactions from a nonce up, the highest first, so that the lane's nonces stay in order at every step.
 * The bytes go out again with the same turn.
 *
 * @returns the lane's state after it; nothing when somebody else changed any of it meanwhile
 */
export async function reopenFrom(
  services: Services,
  read: LaneState,
  lowest: number,
  head: Block,
): Promise<LaneState | undefined> {
  let state: LaneState | undefined = read;
  for (let nonce = read.minedNonce - 1; state && nonce >= lowest; nonce--) {
    const transaction = await findTransaction(services.records, read.lane, nonce);
    // Lost to somebody else, or older than what is kept: there is nothing to send again.
    if (!transaction?.receipt) return undefined;
    state = await reopen(services, state, transaction, head);
  }
  return state;
}

async function reopen(
  services: Services,
  state: LaneState,
  transaction: Transaction,
  head: Block,
): Promise<LaneState | undefined> {
  const { records, log, now } = services;
  const { lane, nonce, receipt, formerReceipt } = transaction;
  const { operations } = await findPayload(records, lane, nonce);
  const rows = await rowsOf(services, operations);
  const changes = operations.flatMap((operation, position) => {
    const row = rows[position];
    return row && did(transaction, receipt, position) ? undoneChanges(row, operation) : [];
  });
  const wasFinal = transaction.state === 'final';
  const fields = {
    minedNonce: nonce,
    lowestSinceBlock: head.number,
    ...(wasFinal ? { finalNonce: nonce } : {}),
  };
  const done = await records.transact([
    ...changes,
    changeTransaction(
      transaction,
      {
        ...{ state: 'open', receipt: undefined, attempts: unsent(transaction) },
        ...(wasFinal ? { formerReceipt: formerReceipt ?? receipt } : {}),
      },
      now(),
    ),
    ...(wasFinal ? [expirePayload(transaction, 'open', now())] : []),
    changeState(state, fields),
  ]);
  log.warn('transaction undone by a reorganisation', { lane, nonce });
  return done ? changedState(state, fields) : undefined;
}

/** As if last sent long ago: so its bytes go out again at once. */
function unsent({ attempts }: Transaction): Transaction['attempts'] {
  return attempts.map((attempt) => ({ ...attempt, sentAt: new Date(0).toISOString() }));
}
