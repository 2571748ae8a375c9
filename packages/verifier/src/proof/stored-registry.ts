import { concat, getAddress, isAddressEqual, keccak256, pad, toHex } from 'viem';
import type { Registry, RegistryEntry } from '../chain/registry-calls.ts';
import type { Address, Hex } from '../hex.ts';

/** Reads storage and code at one block. */
export interface StateReader {
  /** 32 bytes; zero if nothing is stored. */
  slot(address: Address, slot: Hex): Promise<Hex>;
  /** `0x` if there is none. */
  code(address: Address): Promise<Hex>;
}

const version = 'AttestationRegistry 2';
/** Slots of the registry's mappings; docs/contracts.md describes them. */
const mappings = { pageStarts: 0, pages: 1, firsts: 3, laterIdOf: 5, attestations: 6 };
const entrySlots = { digest: 0, quoteRoot: 1, child: 3, packed: 4 };
const recordBytes = 64;
const addressBits = 160n;
const uint48Bits = 48n;
const uint48Mask = (1n << uint48Bits) - 1n;

const word = (value: bigint | number): Hex => toHex(value, { size: 32 });
const mappingSlot = (key: Hex, slot: Hex): Hex => keccak256(concat([pad(key), slot]));
const addressIn = (packed: bigint): Address =>
  getAddress(toHex(BigInt.asUintN(Number(addressBits), packed), { size: 20 }));
const uint48In = (packed: bigint, shift: bigint): number => Number((packed >> shift) & uint48Mask);

/** The first attestation of a content: index, time and address in one word. */
function originIn(packed: bigint) {
  const attestationIndex = uint48In(packed, addressBits + uint48Bits);
  return { attestationIndex, timestamp: uint48In(packed, addressBits), authorityAddress: addressIn(packed) };
}

/** Reads a registry from its storage, and returns the same as the registry's views. */
export class StoredRegistry implements Registry {
  readonly address: Address;
  readonly #state: StateReader;

  constructor(address: Address, state: StateReader) {
    this.address = address;
    this.#state = state;
  }

  /** `undefined` for a version with an unknown layout, such as the public deployment. */
  static ofVersion(name: string | undefined, address: Address, state: StateReader) {
    return name === version ? new StoredRegistry(address, state) : undefined;
  }

  async entry(attestationIndex: number): Promise<RegistryEntry | undefined> {
    const base = BigInt(mappingSlot(word(attestationIndex), word(mappings.attestations)));
    const readField = (offset: number) => this.#read(word(BigInt.asUintN(256, base + BigInt(offset))));
    const [digest, quoteRoot] = await this.#readRecord(attestationIndex, [
      await readField(entrySlots.digest),
      await readField(entrySlots.quoteRoot),
    ]);
    const child = await readField(entrySlots.child);
    const packed = BigInt(await readField(entrySlots.packed));
    const origin = await this.#origin(digest);
    const later = { timestamp: uint48In(packed, addressBits), authorityAddress: addressIn(packed) };
    const { timestamp, authorityAddress } = origin.attestationIndex === attestationIndex ? origin : later;
    if (timestamp === 0) return undefined;
    const revokedAt = uint48In(packed, addressBits + uint48Bits);
    const childDigest = BigInt(child) === 0n ? undefined : child;
    return { digest, quoteRoot, authorityAddress, timestamp, revokedAt, childDigest };
  }

  async indexBy(digest: Hex, authorityAddress: Address): Promise<number> {
    const origin = await this.#origin(digest);
    if (isAddressEqual(origin.authorityAddress, authorityAddress)) return origin.attestationIndex;
    const laterIdsOfDigest = mappingSlot(digest, word(mappings.laterIdOf));
    return Number(await this.#read(mappingSlot(authorityAddress, laterIdsOfDigest)));
  }

  async firstIndex(digest: Hex): Promise<number> {
    return (await this.#origin(digest)).attestationIndex;
  }

  async #origin(digest: Hex) {
    return originIn(BigInt(await this.#read(mappingSlot(digest, word(mappings.firsts)))));
  }

  /** Returns digest and quote root; those of a batch's member are in a page. */
  async #readRecord(index: number, stored: readonly [Hex, Hex]): Promise<readonly [Hex, Hex]> {
    if (stored.some((value) => BigInt(value) !== 0n)) return stored;
    const firstIndex = await this.#pageStart(index);
    if (firstIndex === undefined) return stored;
    const page = BigInt(await this.#read(mappingSlot(word(firstIndex), word(mappings.pages))));
    // A STOP byte precedes the records. Code reads as zeros after its end.
    const code = page === 0n ? '' : (await this.#state.code(addressIn(page))).slice(2);
    const start = 2 * (1 + (index - firstIndex) * recordBytes);
    const record = code.slice(start, start + 2 * recordBytes).padEnd(2 * recordBytes, '0');
    return [`0x${record.slice(0, recordBytes)}`, `0x${record.slice(recordBytes)}`];
  }

  /** The last index up to this one at which a page starts; a page spans at most three words of bits. */
  async #pageStart(index: number): Promise<number | undefined> {
    const lastWord = Math.floor(index / 256);
    for (let wordIndex = lastWord; wordIndex >= Math.max(0, lastWord - 2); wordIndex--) {
      const bits = BigInt(await this.#read(mappingSlot(word(wordIndex), word(mappings.pageStarts))));
      const candidates = wordIndex === lastWord ? BigInt.asUintN((index % 256) + 1, bits) : bits;
      if (candidates !== 0n) return wordIndex * 256 + candidates.toString(2).length - 1;
    }
    return undefined;
  }

  #read(slot: Hex): Promise<Hex> {
    return this.#state.slot(this.address, slot);
  }
}
