import type { Attestation } from './attestation.ts';
import { attestationOf } from './attestation-rows.ts';
import { envelopeLimits } from './envelope.ts';
import { attestationRow } from './keys.ts';
import type { Operation, Queue } from './lane.ts';
import type { Call } from './ports.ts';
import { takeOperation } from './queue-records.ts';
import type { Fields } from './records.ts';
import { registryCall } from './registry-calls.ts';
import type { Services } from './services.ts';

/** An operation whose turn it is, with what it takes to send it. */
export interface Candidate {
  readonly operation: Operation;
  readonly row: Attestation;
  readonly call: Call;
}

/** The operations with their attestations. One whose attestation does not owe it any more is taken out of the queue. */
export async function candidatesOf(
  services: Services,
  queue: Queue,
  operations: readonly Operation[],
): Promise<Candidate[]> {
  const found = await services.records.getAll(operations.map(attestationRow));
  const pairs = operations.map((operation, position) => ({ operation, fields: found[position] ?? {} }));
  const stale = pairs.filter((pair) => !isOwed(pair));
  await Promise.all(stale.map(({ operation, fields }) => forget(services, queue, operation, fields)));
  return pairs.filter(isOwed).map(({ operation, fields }) => {
    const row = attestationOf(operation, fields);
    return { operation, row, call: registryCall(row, operation.kind) };
  });
}

function isOwed({ operation, fields }: { operation: Operation; fields: Fields }): boolean {
  return fields[`${operation.kind}Phase`] === 'queued';
}

/** Left by a table restored from a backup, say. In one write with a look at the phase: it may be owed again by now. */
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

/** `bytes` in an ABI array: an offset, a length, and the data padded to words. */
const bytesOf = ({ data }: Call): number => 64 + Math.ceil((data.length / 2 - 1) / 32) * 32;

/** The selector of `execute`, and where and how long its array is. */
const envelopeBytes = 68;

/** As many of the first as one transaction holds. */
export function cut(candidates: readonly Candidate[], capacity: number): Candidate[] {
  const taken: Candidate[] = [];
  let bytes = envelopeBytes;
  let limit = capacity;
  for (const candidate of candidates) {
    bytes += bytesOf(candidate.call);
    limit = Math.min(limit, candidate.operation.batchLimit ?? limit);
    if (taken.length >= limit || (taken.length > 0 && bytes > envelopeLimits.bytes)) break;
    taken.push(candidate);
  }
  return taken;
}
