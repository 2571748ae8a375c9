import { fieldList } from '../cli/field-list.ts';
import type { Attestation, AttestationSummary } from '../client/imprimatur.ts';

/** An attestation for a person: the fields that there are, one a line. */
export function attestationText(attestation: Attestation | AttestationSummary): string {
  const present = Object.entries(attestation).filter(([, value]) => value !== null && value !== undefined);
  return fieldList(Object.fromEntries(present));
}
