import type { Attestation } from './attestation.ts';
import { ExpectedError } from './errors.ts';
import { attestationRow, metadataRecord } from './keys.ts';
import type { Change, Records } from './records.ts';
import type { StoredContent } from './stored-content.ts';

/** An attestation of the content was accepted after what is stored was read. */
export class ErasureOvertakenError extends ExpectedError {
  constructor() {
    super(
      'the same content was submitted again in this moment; run the same command again when that is confirmed or failed',
    );
  }
}

/** With its metadata two changes each, so that content, guards and an audit entry fit into the same transaction. */
const attestationsAtOnce = 20;

/**
 * Erases the content, and of each of its attestations metadata and `url`. The content goes first or with them, so an
 * attestation that says it is erased is; run again, it finishes what a crash left.
 *
 * @throws ErasureOvertakenError
 */
export async function eraseContent(
  records: Records,
  { remaining, parts, guards }: StoredContent,
  now: Date,
): Promise<void> {
  if (remaining.length + parts.length === 0) return;
  const erasure = [...guards.map(unmoved), ...parts.map((key): Change => ({ key, remove: true }))];
  const changes = remaining.map((attestation) => erasureOf(attestation, now));
  await transact(records, [...erasure, ...changes.slice(0, attestationsAtOnce).flat()]);
  for (let first = attestationsAtOnce; first < changes.length; first += attestationsAtOnce) {
    await transact(records, changes.slice(first, first + attestationsAtOnce).flat());
  }
}

async function transact(records: Records, changes: readonly Change[]): Promise<void> {
  if (!(await records.transact(changes))) throw new ErasureOvertakenError();
}

/** Writes what is there already: a transaction has no other way to expect something of a record. */
function unmoved({ key, id }: StoredContent['guards'][number]): Change {
  return id === undefined ? { key, remove: true, expect: { id } } : { key, set: { id }, expect: { id } };
}

function erasureOf(attestation: Attestation, now: Date): Change[] {
  const { status } = attestation;
  return [
    { key: metadataRecord(attestation), remove: true },
    {
      key: attestationRow(attestation),
      set: { erasedAt: now.toISOString(), url: undefined },
      expect: { status },
    },
  ];
}
