import { decodeAbiParameters, encodeFunctionData, parseAbi } from 'viem';
import type { Address, Hex } from '../hex.ts';
import type { BlockView } from './block-view.ts';
import { malformedAnswer } from './provider.ts';

/** Views of the public interface, independent of our contracts. */
const [entryAbi, firstAbi, byAuthorityAbi] = parseAbi([
  'function attestations(uint256 attestationId) view returns (bytes32 ipfsHash, bytes32 qvHash, bytes32 parentIpfsHash, address authority, uint256 timestamp, uint256 revokedAt, bytes32 childIpfsHash)',
  'function cidToAttestationIndices(bytes32 ipfsHash, uint256 k) view returns (uint256)',
  'function cidAndAddressToAttestationIndices(bytes32 ipfsHash, address authority) view returns (uint256)',
]);

/** An attestation as the registry stores it. Times are block times, in seconds since 1970. */
export interface RegistryEntry {
  readonly digest: Hex;
  readonly quoteRoot: Hex;
  readonly authorityAddress: Address;
  readonly timestamp: number;
  /** Time of the revocation; 0 if it is not revoked. */
  readonly revokedAt: number;
  /** Digest of the successor; `undefined` if there is none. */
  readonly childDigest: Hex | undefined;
}

/** A registry at one block. */
export interface Registry {
  readonly address: Address;
  entry(attestationIndex: number): Promise<RegistryEntry | undefined>;
  /** Index of an authority's attestation of a content, revoked or not; 0 if there is none. */
  indexBy(digest: Hex, authorityAddress: Address): Promise<number>;
  /** Index of the first attestation of a content by anyone; 0 if there is none. */
  firstIndex(digest: Hex): Promise<number>;
}

export class RegistryView implements Registry {
  readonly address: Address;
  readonly #view: BlockView;

  constructor(view: BlockView, address: Address) {
    this.#view = view;
    this.address = address;
  }

  /** Registries revert or return zeros if there is no entry. */
  async entry(attestationIndex: number): Promise<RegistryEntry | undefined> {
    const data = encodeFunctionData({ abi: [entryAbi], args: [BigInt(attestationIndex)] });
    const fields = await this.#call(data, (answer) => decodeAbiParameters(entryAbi.outputs, answer));
    if (!fields) return undefined;
    const [digest, quoteRoot, , authorityAddress, timestamp, revokedAt, child] = fields;
    if (timestamp === 0n) return undefined;
    const childDigest = BigInt(child) === 0n ? undefined : child;
    const times = { timestamp: wholeNumber(timestamp), revokedAt: wholeNumber(revokedAt) };
    return { digest, quoteRoot, authorityAddress, ...times, childDigest };
  }

  async indexBy(digest: Hex, authorityAddress: Address): Promise<number> {
    const index = await this.#readIndex(
      encodeFunctionData({ abi: [byAuthorityAbi], args: [digest, authorityAddress] }),
    );
    // This view never reverts.
    if (index === undefined) throw malformedAnswer('eth_call');
    return index;
  }

  /** Registries revert if there is no attestation. */
  async firstIndex(digest: Hex): Promise<number> {
    return (await this.#readIndex(encodeFunctionData({ abi: [firstAbi], args: [digest, 0n] }))) ?? 0;
  }

  async #readIndex(data: Hex): Promise<number | undefined> {
    const words = await this.#call(data, (answer) => decodeAbiParameters(firstAbi.outputs, answer));
    return words && wholeNumber(words[0]);
  }

  /** `undefined` if the call reverts. @throws NodeRefusalError, ProviderFaultError */
  async #call<Answer>(data: Hex, decode: (answer: Hex) => Answer): Promise<Answer | undefined> {
    const answer = await this.#view.call(this.address, data);
    if (answer === undefined) return undefined;
    try {
      return decode(answer);
    } catch {
      throw malformedAnswer('eth_call');
    }
  }
}

/** Converts an index or a time. @throws ProviderFaultError if it is 2^53 or more */
function wholeNumber(word: bigint): number {
  if (word > Number.MAX_SAFE_INTEGER) throw malformedAnswer('eth_call');
  return Number(word);
}
