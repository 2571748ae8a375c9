import type { Verdict } from './verdict.ts';

/** Whether the attestation is valid, corrected or not, and matches the given text or quote. */
export function isVerified({
  outcome,
  quoteRootHolds,
}: Pick<Verdict, 'outcome' | 'quoteRootHolds'>): boolean {
  return (outcome === 'verified' || outcome === 'superseded') && quoteRootHolds !== false;
}

/** Whether the attestation exists, even if corrected or revoked, and matches the given text or quote. */
export function isAttested({ outcome }: Pick<Verdict, 'outcome'>): boolean {
  return outcome === 'verified' || outcome === 'superseded' || outcome === 'revoked';
}

/** The exit code of a command: 0 verified, 1 not verified, 2 unknown, 3 superseded. */
export function exitCodeOf(verdict: Pick<Verdict, 'outcome' | 'quoteRootHolds'>): number {
  if (verdict.outcome === 'unknown') return 2;
  if (!isVerified(verdict)) return 1;
  return verdict.outcome === 'superseded' ? 3 : 0;
}

/** Describes the attestation's state, which the outcome `altered` hides. */
function describeLaterState({ outcome, attestation, corrections }: Verdict): string {
  if (outcome !== 'altered') return '';
  if (attestation && attestation.revokedAt !== 0) return '; the attestation has been revoked since';
  const isCorrected =
    corrections && (corrections.followed.length > 0 || corrections.unfollowedCid !== undefined);
  return isCorrected ? '; the attestation has been corrected since' : '';
}

/** Formats the reason; for an altered text, with the attestation's state. */
export function formatReason(verdict: Verdict): string {
  const since = describeLaterState(verdict);
  return since === '' ? verdict.reason : `${verdict.reason.replace(/\.$/, '')}${since}`;
}
