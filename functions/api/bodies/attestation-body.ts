import type { Attestation } from '../../domain/attestation/attestation.ts';
import type { AttestationBody, CreationBody } from './answers.ts';

/** Builds the Attestation shape: absent fields are omitted, or null where the interface document requires it. */
export function attestationBody(row: Attestation): AttestationBody {
  return {
    id: row.id,
    url: row.url,
    chainId: row.chainId,
    registryAddress: row.registryAddress,
    authorityAddress: row.authorityAddress,
    contentCid: row.contentCid,
    status: row.status,
    commitTxHash: row.commitTxHash,
    revealTxHash: row.revealTxHash,
    attestationIndex: row.attestationIndex,
    error: row.error,
    childAttestationId: row.childAttestationId,
    childLinkTxHash: row.childLinkTxHash,
    childLinkError: row.childLinkError,
    createdAt: row.createdAt,
    confirmedAt: row.confirmedAt,
    revokedAt: row.revokedAt,
  };
}

export function creationBody(row: Attestation): CreationBody {
  const { id, status, contentCid, chainId, authorityAddress, revokedAt } = row;
  return { id, status, contentCid, chainId, authorityAddress, revokedAt };
}
