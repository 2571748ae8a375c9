import type { Hex } from 'viem';
import { ExpectedError } from '../errors.ts';
import type { ReadServices } from '../services.ts';
import { type Attestation, isOnChain } from './attestation.ts';

export interface ChainEvidence {
  /** Block with the reveal; `undefined` if the service did not send it or the chain does not show it. */
  readonly block: number | undefined;
  /** keccak256 of the registry's code. */
  readonly codeHash: Hex | undefined;
}

/** Reads the evidence at a final block. A part is `undefined` if the chain is unreachable or does not show it. */
export async function readChainEvidence(services: ReadServices, row: Attestation): Promise<ChainEvidence> {
  const [block, codeHash] = await Promise.all([
    readIfReachable(services, row, () => revealBlock(services, row)),
    readIfReachable(services, row, () =>
      services.chain(row.chainId).atFinal((view) => view.codeHash(row.registryAddress)),
    ),
  ]);
  return { block, codeHash };
}

async function revealBlock(
  services: ReadServices,
  { chainId, delegateAddress: signerAddress, revealTxHash, revealPhase, confirmedAt = '' }: Attestation,
): Promise<number | undefined> {
  if (revealTxHash === undefined || !isOnChain(revealPhase)) return undefined;
  const query = { signerAddress, hashes: [revealTxHash], blockNumbers: [] };
  const { receipts, finalNumber } = await services.chain(chainId).snapshot(query);
  const receipt = receipts.get(revealTxHash);
  if (!receipt || receipt.blockNumber > finalNumber) return undefined;
  // After a deep reorg, the receipt may be from another block than the entry in the row.
  return receipt.blockTimestamp * 1000 === Date.parse(confirmedAt) ? receipt.blockNumber : undefined;
}

async function readIfReachable<Value>(
  { log }: ReadServices,
  { organizationId, id, chainId }: Attestation,
  read: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    log.error('chain evidence not read', error, { organizationId, id, chainId });
    return undefined;
  }
}
