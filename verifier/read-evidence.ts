import {
  type Address,
  type Client,
  ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type Hex,
} from 'viem';
import { getBlockNumber, getChainId, getCode, readContract } from 'viem/actions';
import { registryAbi } from './registry-abi.ts';

/** The claimed place of an attestation. */
export interface EvidenceQuery {
  readonly registryAddress: Address;
  readonly digest: Hex;
  readonly authorityAddress: Address;
  readonly attestationIndex: number;
}

/** Answers of the chain, all at one block; `undefined` where the registry reverts or does not answer at all. */
export interface Evidence {
  readonly chainId: number;
  readonly blockNumber: bigint;
  readonly hasCode: boolean;
  readonly attestation: RecordedAttestation | undefined;
  readonly indexOfAuthority: bigint | undefined;
}

/** An attestation as the registry keeps it. */
export interface RecordedAttestation {
  readonly digest: Hex;
  readonly quoteRoot: Hex;
  readonly authorityAddress: Address;
  /** Block time of the reveal, in seconds since 1970. */
  readonly timestamp: bigint;
  /** Time of the revocation in seconds since 1970; 0 while the attestation stands. */
  readonly revokedAt: bigint;
}

/** Absence of a usable answer from the RPC endpoint, which proves nothing about the attestation. */
export class ChainUnreachableError extends Error {
  override name = 'ChainUnreachableError';
  constructor(cause: unknown) {
    super('the RPC endpoint does not answer, or not as an Ethereum node does', { cause });
  }
}

function isRefusal(error: unknown): boolean {
  const cause = error instanceof ContractFunctionExecutionError ? error.cause : undefined;
  return cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError;
}

/**
 * A registry reverts above its last index, and an address without code gives nothing: both mean that nothing is there.
 * Zeros, which a registry may give at index 0 or anywhere, mean the same.
 */
async function unlessRefused<Answer>(reading: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

async function readAttestation(client: Client, query: EvidenceQuery, blockNumber: bigint) {
  const args = [BigInt(query.attestationIndex)] as const;
  const call = { address: query.registryAddress, abi: registryAbi, functionName: 'attestations' } as const;
  const fields = await unlessRefused(readContract(client, { ...call, args, blockNumber }));
  if (!fields || fields[4] === 0n) return undefined;
  const [digest, quoteRoot, , authorityAddress, timestamp, revokedAt] = fields;
  return { digest, quoteRoot, authorityAddress, timestamp, revokedAt };
}

async function readIndex(client: Client, query: EvidenceQuery, blockNumber: bigint) {
  const { registryAddress: address, digest, authorityAddress } = query;
  const functionName = 'cidAndAddressToAttestationIndices';
  const args = [digest, authorityAddress] as const;
  return unlessRefused(readContract(client, { address, abi: registryAbi, functionName, args, blockNumber }));
}

async function readAll(client: Client, query: EvidenceQuery): Promise<Evidence> {
  const [chainId, blockNumber] = await Promise.all([getChainId(client), getBlockNumber(client)]);
  const [code, attestation, indexOfAuthority] = await Promise.all([
    getCode(client, { address: query.registryAddress, blockNumber }),
    readAttestation(client, query, blockNumber),
    readIndex(client, query, blockNumber),
  ]);
  return { chainId, blockNumber, hasCode: code !== undefined, attestation, indexOfAuthority };
}

/** Reads all that a verification needs, and judges nothing. @throws ChainUnreachableError */
export async function readEvidence(client: Client, query: EvidenceQuery): Promise<Evidence> {
  try {
    return await readAll(client, query);
  } catch (cause) {
    throw new ChainUnreachableError(cause);
  }
}
