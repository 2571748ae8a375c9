import { type Attestation, isOnChain } from '../../domain/attestation/attestation.ts';
import type { ChainEvidence } from '../../domain/attestation/chain-evidence.ts';
import { AttestationUnconfirmedError } from '../../domain/errors.ts';
import type { ProofBody } from './answers.ts';

/**
 * Builds the proof file of a confirmed attestation from stored data; evidence from the chain is added later. Its
 * storage proof is of a recent block, which the verifier reads from its own node.
 * @throws AttestationUnconfirmedError
 */
export function proofBody(row: Attestation): ProofBody {
  const { contentCid, chainId, registryAddress, authorityAddress, attestationIndex, confirmedAt } = row;
  if (row.status !== 'confirmed' || attestationIndex === undefined || confirmedAt === undefined)
    throw new AttestationUnconfirmedError(row.status);
  // An attestation found on the chain may have another kind of quote root, and was made by other transactions.
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

/** Adds evidence from the chain to a proof file. */
export function withChainEvidence(body: ProofBody, { block, codeHash }: ChainEvidence): ProofBody {
  return {
    ...body,
    attested: { ...body.attested, block },
    registry: codeHash && { codeHash },
  };
}
