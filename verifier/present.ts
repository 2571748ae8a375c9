import type { AttestationClaim, Verification } from './verify.ts';

const isoTime = (timestamp: bigint) => new Date(Number(timestamp) * 1000).toISOString();

/** Formats the verification for a script: one JSON object, without the text. */
export function presentJson(claim: AttestationClaim, verification: Verification): string {
  const { text: _, ...reference } = claim;
  const { verified, checks, blockNumber, attestation } = verification;
  const attestedAt = attestation && isoTime(attestation.timestamp);
  return JSON.stringify({ verified, ...reference, attestedAt, blockNumber: Number(blockNumber), checks });
}

/** Formats the verification for a person: a line for each check, then the outcome. */
export function presentText(claim: AttestationClaim, verification: Verification): string {
  const { verified, checks, blockNumber, attestation } = verification;
  const lines = checks.map(({ passed, statement }) => `${passed ? 'ok    ' : 'FAILED'}  ${statement}`);
  const outcome =
    verified && attestation ? `verified: attested ${isoTime(attestation.timestamp)}` : 'not verified';
  const scope = claim.text === undefined ? '; the text itself was not given (--file)' : '';
  return [...lines, `${outcome} (read at block ${blockNumber})${scope}`].join('\n');
}
