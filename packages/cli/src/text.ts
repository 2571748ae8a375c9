import type { Attestation, AttestationSummary } from 'imprimatur-client';
import { fieldList } from 'imprimatur-terminal/text';

export function attestationText(attestation: Attestation | AttestationSummary): string {
  const present = Object.entries(attestation).filter(([, value]) => value !== null && value !== undefined);
  const revoked = attestation.revokedAt
    ? '\n\nThe authority revoked it on the chain, so it does not verify.'
    : '';
  return `${fieldList(Object.fromEntries(present))}${revoked}`;
}

/** Formats an attestation's status. A revoked attestation stays `confirmed`. */
export function statusText({ status, revokedAt }: Attestation): string {
  return revokedAt ? `${status}, revoked` : status;
}

/** Formats a duration in its two largest units. It is rounded up, so that a wait of that length is long enough. */
export function durationText(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  return whole < 3600 ? twoUnits(whole, 'min', 's') : twoUnits(Math.ceil(whole / 60), 'h', 'min');
}

function twoUnits(count: number, large: string, small: string): string {
  const rest = count % 60;
  return `${Math.floor(count / 60)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}
