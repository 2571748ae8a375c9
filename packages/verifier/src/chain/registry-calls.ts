import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import type { Address, Hex } from '../hex.ts';
import { malformed } from './block.ts';
import type { BlockView } from './block-view.ts';

/** Views of the public interface that a verification reads, written out here so that it depends on no build of ours. */
const registryAbi = parseAbi([
  'function attestations(uint256 attestationId) view returns (bytes32 ipfsHash, bytes32 qvHash, bytes32 parentIpfsHash, address authority, uint256 timestamp, uint256 revokedAt, bytes32 childIpfsHash)',
  'function cidToAttestationIndices(bytes32 ipfsHash, uint256 k) view returns (uint256)',
  'function cidAndAddressToAttestationIndices(bytes32 ipfsHash, address authority) view returns (uint256)',
]);

/** An attestation as the registry keeps it. Times are block times, in seconds since 1970. */
export interface RegistryEntry {
  readonly digest: Hex;
  readonly quoteRoot: Hex;
  readonly authorityAddress: Address;
  /** Time of the reveal. */
  readonly timestamp: number;
  /** Time of the revocation; 0 while the attestation stands. */
  readonly revokedAt: number;
  /** Digest of the content that supersedes this one; `undefined` where none is named. */
  readonly childDigest: Hex | undefined;
}

/** A registry at one block, however it is read. */
export interface Registry {
  readonly address: Address;
  /** The entry at an index; `undefined` where none is. */
  entry(attestationIndex: number): Promise<RegistryEntry | undefined>;
  /** Index of an authority's attestation of a content, revoked or not; 0 when there is none. */
  indexBy(digest: Hex, authorityAddress: Address): Promise<number>;
  /** Index of the first attestation of a content by anyone; 0 when there is none. */
  firstIndex(digest: Hex): Promise<number>;
}

/** A registry at one block, as a provider's calls of its views give it. */
export class RegistryView implements Registry {
  readonly address: Address;
  readonly #view: BlockView;

  constructor(view: BlockView, address: Address) {
    this.#view = view;
    this.address = address;
  }

  /** Registries revert where no entry is, or answer zeros. */
  async entry(attestationIndex: number): Promise<RegistryEntry | undefined> {
    const functionName = 'attestations';
    const data = encodeFunctionData({ abi: registryAbi, functionName, args: [BigInt(attestationIndex)] });
    const answer = await this.#view.call(this.address, data);
    if (answer === undefined) return undefined;
    const fields = decoded(() => decodeFunctionResult({ abi: registryAbi, functionName, data: answer }));
    const [digest, quoteRoot, , authorityAddress, timestamp, revokedAt, child] = fields;
    if (timestamp === 0n) return undefined;
    const childDigest = BigInt(child) === 0n ? undefined : child;
    const times = { timestamp: wholeNumber(timestamp), revokedAt: wholeNumber(revokedAt) };
    return { digest, quoteRoot, authorityAddress, ...times, childDigest };
  }

  async indexBy(digest: Hex, authorityAddress: Address): Promise<number> {
    const functionName = 'cidAndAddressToAttestationIndices';
    const data = encodeFunctionData({ abi: registryAbi, functionName, args: [digest, authorityAddress] });
    const answer = await this.#view.call(this.address, data);
    // This look-up reverts in no registry.
    if (answer === undefined) throw malformed('eth_call');
    return wholeNumber(decoded(() => decodeFunctionResult({ abi: registryAbi, functionName, data: answer })));
  }

  /** Registries revert where no attestation is. */
  async firstIndex(digest: Hex): Promise<number> {
    const functionName = 'cidToAttestationIndices';
    const data = encodeFunctionData({ abi: registryAbi, functionName, args: [digest, 0n] });
    const answer = await this.#view.call(this.address, data);
    if (answer === undefined) return 0;
    return wholeNumber(decoded(() => decodeFunctionResult({ abi: registryAbi, functionName, data: answer })));
  }
}

/** An index or a time. @throws ProviderFaultError for one that no registry comes to */
function wholeNumber(word: bigint): number {
  if (word > Number.MAX_SAFE_INTEGER) throw malformed('eth_call');
  return Number(word);
}

/** @throws ProviderFaultError when these are not bytes that such a function returns */
function decoded<Answer>(decode: () => Answer): Answer {
  try {
    return decode();
  } catch {
    throw malformed('eth_call');
  }
}
