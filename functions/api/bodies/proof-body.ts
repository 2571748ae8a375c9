import { type Attestation, isOnChain } from '../../domain/attestation/attestation.ts';
import type { ChainEvidence } from '../../domain/attestation/chain-evidence.ts';
import { AttestationUnconfirmedError } from '../../domain/errors.ts';
import type { ProofBody } from './answers.ts';

/** Builds the proof file from stored data, without the evidence from the chain. @throws AttestationUnconfirmedError */
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

export function withChainEvidence(body: ProofBody, { block, codeHash }: ChainEvidence): ProofBody {
  return {
    ...body,
    attested: { ...body.attested, block },
    registry: codeHash && { codeHash },
  };
}
