import type { Attestation } from '../attestation/attestation.ts';
import { attestationRow, parseReadable } from '../attestation/attestation-records.ts';
import type { Call } from '../chain.ts';
import { type LaneState, type Operation, parseLane, type Queue } from '../lane/lane.ts';
import { takeOperation } from '../lane/queue-records.ts';
import type { Fields } from '../records.ts';
import type { Services } from '../services.ts';
import { isOwed } from './outcome.ts';
import { registryCall } from './registry-call.ts';

/** Operation to be sent next, with its attestation's row and its registry call. */
export interface Candidate {
  readonly operation: Operation;
  readonly row: Attestation;
  readonly call: Call;
}

/** Operations of a queue by whether their attestations tell what to send. */
export interface QueuedCandidates {
  readonly candidates: readonly Candidate[];
  /** Operations whose attestations are malformed, name what the lane does not serve, or have no index yet: they stay queued. */
  readonly unsendable: readonly Operation[];
}

/** Reads the attestations of operations. An operation that its attestation no longer owes is taken out of the queue. */
export async function candidatesOf(
  services: Services,
  state: LaneState,
  queue: Queue,
  operations: readonly Operation[],
): Promise<QueuedCandidates> {
  const found = await services.records.getAll(operations.map(attestationRow));
  const pairs = operations.map((operation, position) => ({ operation, fields: found[position] ?? {} }));
  const stale = pairs.filter((pair) => !isStillOwed(pair));
  await Promise.all(stale.map(({ operation, fields }) => forget(services, queue, operation, fields)));
  const candidates: Candidate[] = [];
  const unsendable: Operation[] = [];
  for (const { operation, fields } of pairs.filter(isStillOwed)) {
    const row = parseReadable(services, operation, fields);
    const call = row && registryCall(row, operation.kind);
    const isServed = call && serves(state, call);
    if (isServed && hasIndex(row, operation)) candidates.push({ operation, row, call });
    else unsendable.push(operation);
    if (call && !isServed) {
      const reason = `the settings never named the delegate ${call.from} or the registry ${call.to}`;
      services.log.error('operation not served', new Error(reason), { ...operation });
    }
  }
  return { candidates, unsendable };
}

/** Whether the lane serves what a call goes to: a registry for its own key, otherwise the delegate, a forwarder. */
export function serves({ lane, delegates = [], registries = [] }: LaneState, { from, to }: Call): boolean {
  return from === parseLane(lane).signerAddress ? registries.includes(to) : delegates.includes(from);
}

/**
 * Whether a link has the index that it names: after a deep reorganisation its attestation may have to be revealed again.
 * Both in one transaction would be two writes of one row at its settlement, which DynamoDB takes from nobody.
 */
const hasIndex = ({ revealPhase }: Attestation, { kind }: Operation): boolean =>
  kind !== 'link' || !isOwed(revealPhase);

/** It is owed in one round: of two records of it, one is another's work. */
function isStillOwed({ operation, fields }: { operation: Operation; fields: Fields }): boolean {
  const { kind, round } = operation;
  return fields[`${kind}Phase`] === 'queued' && fields[`${kind}Round`] === round;
}

/**
 * Removes an operation that, for example, a table restored from a backup has left. The same write expects the phase
 * unchanged: the operation may be owed again by now.
 */
async function forget({ records, log }: Services, queue: Queue, operation: Operation, fields: Fields) {
  const { organizationId, id, kind } = operation;
  const phase = `${kind}Phase`;
  const same = { [phase]: fields[phase] };
  const forgotten = await records.transact([
    takeOperation(queue, operation),
    { key: attestationRow(operation), expect: same, set: same },
  ]);
  if (forgotten) log.warn('operation not owed any more', { organizationId, id, kind });
}

/** Size of a call as `bytes` in an ABI array, in bytes: an offset, a length, and the data padded to words. */
export const bytesOf = ({ data }: Call): number => 64 + Math.ceil((data.length / 2 - 1) / 32) * 32;

/** Size of the calldata of `execute` around its array, in bytes: the selector, and the array's offset and length. */
export const batchCallBytes = 68;
