import type { Hex } from 'viem';
import type { Attestation } from '../attestation/attestation.ts';
import { attestationRow, parseReadable } from '../attestation/attestation-records.ts';
import type { Call } from '../chain.ts';
import { type LaneState, type Operation, parseLane, type Queue } from '../lane/lane.ts';
import { takeOperation } from '../lane/queue-records.ts';
import { findLeaves } from '../lane/transaction-records.ts';
import type { Fields } from '../records.ts';
import type { Services } from '../services.ts';
import { isOwed } from './outcome.ts';
import { leafOf, registryCall } from './registry-call.ts';

export interface Candidate {
  readonly operation: Operation;
  readonly row: Attestation;
  readonly call: Call;
  readonly leaves?: readonly Hex[] | undefined;
}

export function candidateOf(operation: Operation, row: Attestation | undefined): Candidate | undefined {
  return row && { operation, row, call: registryCall(row, operation.kind) };
}

export interface QueuedCandidates {
  readonly candidates: readonly Candidate[];
  /** Operations that stay queued, for example those of malformed attestations, and links whose reveal is pending. */
  readonly unsendable: readonly Operation[];
}

/** Reads the attestations of operations. An operation that its row no longer needs is removed from the queue. */
export async function candidatesOf(
  services: Services,
  state: LaneState,
  queue: Queue,
  operations: readonly Operation[],
): Promise<QueuedCandidates> {
  const found = await services.records.getAll(operations.map(attestationRow));
  const pairs = operations.map((operation, position) => ({ operation, fields: found[position] ?? {} }));
  const stale = pairs.filter((pair) => !isStillOwed(pair));
  await Promise.all(stale.map(({ operation, fields }) => removeStale(services, queue, operation, fields)));
  const candidates: Candidate[] = [];
  const unsendable: Operation[] = [];
  const leavesOf = leavesReader(services);
  for (const { operation, fields } of pairs.filter(isStillOwed)) {
    const row = parseReadable(services, operation, fields);
    const single = candidateOf(operation, row);
    const candidate = single && { ...single, leaves: await leavesOf(single) };
    const mismatch = candidate && findMismatch(state, candidate);
    // A link waits while its reveal is pending, because one settlement cannot write the row twice.
    const mustWait = operation.kind === 'link' && isOwed(row?.revealPhase);
    if (candidate && mismatch === undefined && !mustWait) candidates.push(candidate);
    else unsendable.push(operation);
    if (mismatch !== undefined)
      services.log.error('operation cannot be sent', new Error(mismatch), { ...operation });
  }
  return { candidates, unsendable };
}

function leavesReader(services: Services) {
  const read = new Map<string, Promise<Hex[]>>();
  return async ({ row: { batch }, operation }: Candidate): Promise<Hex[] | undefined> => {
    if (!batch || operation.kind !== 'reveal') return undefined;
    const name = `${batch.lane}#${batch.nonce}`;
    const leaves = read.get(name) ?? findLeaves(services, batch);
    read.set(name, leaves);
    return leaves;
  };
}

function findMismatch(state: LaneState, { row, call, leaves }: Candidate): string | undefined {
  const unnamed = unnamedAddress(state, call);
  if (unnamed !== undefined) return `the settings never named ${unnamed}`;
  const position = row.batch?.position ?? 0;
  return leaves && leaves[position] !== leafOf(row, position)
    ? 'the commit of its batch has another leaf'
    : undefined;
}

/** Returns the registry of a call from the lane's own key, or otherwise the forwarder, if the lane does not record it. */
export function unnamedAddress({ lane, delegates, registries }: LaneState, { from, to }: Call) {
  const [address, named] = from === parseLane(lane).signerAddress ? [to, registries] : [from, delegates];
  return named.includes(address) ? undefined : address;
}

/** Whether the row still needs the operation at this place. If the queue has it twice, one of the two is stale. */
function isStillOwed({ operation, fields }: { operation: Operation; fields: Fields }): boolean {
  const { kind, round, place } = operation;
  const isInPlace = fields[`${kind}Round`] === round && (kind !== 'reveal' || fields.revealPlace === place);
  return fields[`${kind}Phase`] === 'queued' && isInPlace;
}

/** Removes an operation that is no longer needed, for example after a restore, unless it became needed again. */
async function removeStale({ records, log }: Services, queue: Queue, operation: Operation, fields: Fields) {
  const { organizationId, id, kind } = operation;
  const phase = `${kind}Phase`;
  const unchanged = { [phase]: fields[phase] };
  const removed = await records.transact([
    takeOperation(queue, operation),
    { key: attestationRow(operation), expect: unchanged, set: unchanged },
  ]);
  if (removed) log.warn('queued operation no longer needed', { organizationId, id, kind });
}
