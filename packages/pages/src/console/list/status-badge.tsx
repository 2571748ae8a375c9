import type { Attestation } from 'imprimatur-client';

export const statusNames: Readonly<Record<Attestation['status'], string>> = {
  pending: 'Accepted',
  committed: 'Committed',
  confirmed: 'Confirmed',
  failed: 'Failed',
};

const tones: Readonly<Record<Attestation['status'], string>> = {
  pending: 'none',
  committed: 'fair',
  confirmed: 'good',
  failed: 'bad',
};

export function StatusBadge({ status, revokedAt }: Pick<Attestation, 'status' | 'revokedAt'>) {
  if (revokedAt) return <span class="badge bad">Revoked</span>;
  return <span class={`badge ${tones[status]}`}>{statusNames[status]}</span>;
}

/** Whether the text is neither confirmed nor failed. */
export const isPending = ({ status }: Attestation) => status === 'pending' || status === 'committed';

/** Whether the link to the correction is neither mined nor failed. */
export const isLinkPending = ({ childAttestationId, childLinkTxHash, childLinkError }: Attestation) =>
  childAttestationId !== null && childLinkTxHash === null && childLinkError === undefined;

/** Whether the service still works on the attestation or on its link. */
export const isUnfinished = (attestation: Attestation) =>
  isPending(attestation) || isLinkPending(attestation);
