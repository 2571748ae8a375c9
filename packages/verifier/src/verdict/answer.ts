import type { Verdict } from './verdict.ts';

/**
 * Whether it is verified: the attestation stands, corrected or not, and the text or quote, if one was given, is what was
 * attested. Of a text whose quote root is not the registry's it is not, although the text is the attested one.
 */
export function isVerified({
  outcome,
  quoteRootHolds,
}: Pick<Verdict, 'outcome' | 'quoteRootHolds'>): boolean {
  return (outcome === 'verified' || outcome === 'superseded') && quoteRootHolds !== false;
}

/** Whether the authority attested it, corrected or withdrawn since or not: what a proof can be taken of. */
export function isAttested({ outcome }: Pick<Verdict, 'outcome'>): boolean {
  return outcome === 'verified' || outcome === 'superseded' || outcome === 'revoked';
}

/** The exit code of a command that verifies: 0 verified, 3 superseded, 2 where nothing is known, 1 any other. */
export function exitCodeOf(verdict: Pick<Verdict, 'outcome' | 'quoteRootHolds'>): number {
  if (verdict.outcome === 'unknown') return 2;
  if (!isVerified(verdict)) return 1;
  return verdict.outcome === 'superseded' ? 3 : 0;
}

/** What became of the attestation that an altered text is not of: that outcome comes first, and would hide it. */
function describeSince({ outcome, attestation, corrections }: Verdict): string {
  if (outcome !== 'altered') return '';
  if (attestation && attestation.revokedAt !== 0) return '; it has been revoked since';
  const isCorrected =
    corrections && (corrections.followed.length > 0 || corrections.unfollowedCid !== undefined);
  return isCorrected ? '; it has been corrected since' : '';
}

/** Formats why the outcome is what it is, and for an altered text what became of the attested one since. */
export function formatReason(verdict: Verdict): string {
  const since = describeSince(verdict);
  return since === '' ? verdict.reason : `${verdict.reason.replace(/\.$/, '')}${since}`;
}
