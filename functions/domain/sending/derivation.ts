import { keccak256, recoverAddress } from 'viem';
import type { Attestation } from '../attestation/attestation.ts';
import { findReadable } from '../attestation/attestation-records.ts';
import type { LaneState, Operation } from '../lane/lane.ts';
import { openOrReadLane, writeState } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { findLeaves, updateTransaction } from '../lane/transaction-records.ts';
import { candidateOf, unnamedAddress } from '../operation/candidates.ts';
import { unsignedBytes } from '../raw-transaction.ts';
import { catchRace } from '../records.ts';
import { batchLimits, routeOf, transactionCall } from './batch-call.ts';
import { type Sendable, toUnsigned } from './broadcast.ts';

/** Whether the key may sign: it signed the transaction before, or cancels it, or the rows still lead to the same call. */
export async function maySign(services: LaneServices, sendable: Sendable): Promise<boolean> {
  const { transaction } = sendable;
  const { lane, nonce } = transaction;
  if (transaction.canceling || (await wasSigned(services, sendable))) return true;
  const state = await openOrReadLane(services);
  const mismatch = await findMismatch(services, state, sendable);
  if (mismatch === undefined) return true;
  const paused = `transaction ${nonce} is not signed: ${mismatch}`;
  if (mismatch === oldIndex) {
    await catchRace(updateTransaction(services, transaction, { canceling: true }));
  } else if (state.paused === undefined) {
    services.log.error('lane paused', new Error(paused), { lane, nonce });
    await catchRace(writeState(services, state, { paused }));
  }
  return false;
}

/** Whether the key has signed the transaction before. Then its rows led to it, even if they changed since. */
async function wasSigned(services: LaneServices, sendable: Sendable): Promise<boolean> {
  const attempt = sendable.transaction.attempts.findLast(({ cancels }) => !cancels);
  if (!attempt) return false;
  const hash = keccak256(unsignedBytes(toUnsigned(services, sendable, attempt)));
  // A malformed signature recovers to no address.
  const address = await recoverAddress({ hash, signature: attempt.signature }).catch(() => undefined);
  return address === services.signerAddress;
}

const oldIndex = 'a link has the index of an attestation from before a reorg';

async function findMismatch(services: LaneServices, state: LaneState, { transaction, payload }: Sendable) {
  const { to, gasLimit } = transaction;
  const { operations, data } = payload;
  const { signerAddress } = services;
  const rows = await findReadable(services, operations);
  const bound = await Promise.all(operations.map((operation, i) => boundRow(services, operation, rows[i])));
  const batch = operations.flatMap((operation, i) => candidateOf(operation, bound[i]) ?? []);
  const [first] = batch;
  if (!first || batch.length < operations.length) return 'not all of its attestations can be read';
  const route = routeOf(first.call.from, signerAddress);
  const leaves = first.row.batch && (await findLeaves(services, first.row.batch));
  const calls = [false, true].map((isOneCall) =>
    transactionCall({ batch: [{ ...first, leaves }, ...batch.slice(1)], isOneCall, route }, signerAddress),
  );
  if (!calls.some((call) => call.to === to && call.data === data))
    return 'its attestations need a different call';
  const unnamed = unnamedAddress(state, first.call);
  if (unnamed !== undefined) return `the settings never named ${unnamed}`;
  if (gasLimit > batchLimits.gas) return `its gas limit ${gasLimit} is above ${batchLimits.gas}`;
  return rows.every((row, i) => row?.attestationIndex === bound[i]?.attestationIndex) ? undefined : oldIndex;
}

/** Returns the row as it was when the link got its nonce. Intent and index may have changed since. */
async function boundRow(services: LaneServices, operation: Operation, row: Attestation | undefined) {
  const { organizationId, childAttestationId: id, childSequence, attestationIndex } = operation;
  if (!row || !id || attestationIndex === undefined) return row;
  if (childSequence === row.childSequence) return { ...row, attestationIndex };
  const [child] = await findReadable(services, [{ organizationId, id }]);
  return child && { ...row, attestationIndex, childDigest: child.digest };
}
