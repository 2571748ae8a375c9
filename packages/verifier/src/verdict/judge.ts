import type { AttestationReference } from '../reference/reference.ts';
import type { TextComparison } from '../text/compare-text.ts';
import type { Evidence } from './read-evidence.ts';
import { isFound } from './read-record.ts';
import { isoTime } from './sentences.ts';
import type { Outcome } from './verdict.ts';

export interface Judgment {
  readonly outcome: Outcome;
  readonly reason: string;
}

function describeNotFound({ attestationIndex, contentCid }: AttestationReference, indexByAuthority: number) {
  if (indexByAuthority === 0) return `The authority has not attested ${contentCid} in this registry.`;
  return `The authority attested ${contentCid} as attestation ${indexByAuthority}, not as attestation ${attestationIndex}.`;
}

const describeAltered = ({ differences }: TextComparison): string =>
  ['The text is not the attested one.', ...differences.map(({ statement }) => statement)].join(' ');

/** Returns the first outcome in the documented order that applies. */
export function judge(
  reference: AttestationReference,
  { registry, record }: Evidence,
  text: TextComparison | undefined,
): Judgment {
  if (!registry)
    return { outcome: 'notFound', reason: 'There is no contract at the address of the registry.' };
  if (!record) return { outcome: 'unknown', reason: 'The contract at the address is not a known registry.' };
  const { entry, corrections, indexByAuthority } = record;
  if (!entry || !isFound(reference, record))
    return { outcome: 'notFound', reason: describeNotFound(reference, indexByAuthority) };
  if (text && !text.isContent) return { outcome: 'altered', reason: describeAltered(text) };
  if (entry.revokedAt !== 0)
    return { outcome: 'revoked', reason: `The authority revoked it at ${isoTime(entry.revokedAt)}.` };
  const attested = `attested at ${isoTime(entry.timestamp)}`;
  const newest = corrections?.followed.at(-1);
  if (newest)
    return {
      outcome: 'superseded',
      reason: `It was ${attested}, and corrected; the newest version found is ${newest.contentCid}.`,
    };
  if (corrections?.unfollowedCid !== undefined)
    return { outcome: 'superseded', reason: `It was ${attested}, and names a correction that is not valid.` };
  return { outcome: 'verified', reason: `It was ${attested}, and is valid.` };
}
