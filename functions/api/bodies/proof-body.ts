import { type Attestation, isOnChain } from '../../domain/attestation/attestation.ts';
import type { ChainEvidence } from '../../domain/attestation/chain-evidence.ts';
import { AttestationUnconfirmedError } from '../../domain/errors.ts';
import type { ProofBody } from './answers.ts';

/**
 * Builds the proof file of a confirmed attestation from what the service keeps, for the chain to add to. The storage proof is of a
 * recent block, and who verifies takes it from a node of its own. @throws AttestationUnconfirmedError
 */
export function proofBody(row: Attestation): ProofBody {
  const { contentCid, chainId, registryAddress, authorityAddress, attestationIndex, confirmedAt } = row;
  if (row.status !== 'confirmed' || attestationIndex === undefined || confirmedAt === undefined)
    throw new AttestationUnconfirmedError(row.status);
  // An attestation that the service found may have a quote root of another kind, and other transactions made it.
  const isOurs = isOnChain(row.revealPhase);
  return {
    version: 1,
    reference: { contentCid, chainId, registryAddress, authorityAddress, attestationIndex },
    content: isOurs ? { quoteRoot: row.quoteRoot, quoteTree: 'taanq-46' } : {},
    attested: {
      ...(isOurs && { commitTransaction: row.commitTxHash, revealTransaction: row.revealTxHash }),
      time: confirmedAt,
    },
  };
}

/** Adds to a proof file what the chain shows. */
export function withChainEvidence(body: ProofBody, { block, codeHash }: ChainEvidence): ProofBody {
  return {
    ...body,
    attested: { ...body.attested, block },
    registry: codeHash && { codeHash },
  };
}
