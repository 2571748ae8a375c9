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
/** Slots of its mappings; docs/contracts.md describes them. */
const mappings = { pageStarts: 0, pages: 1, firsts: 3, laterIdOf: 5, attestations: 6 };
const entrySlots = { digest: 0, quoteRoot: 1, child: 3, packed: 4 };
const recordBytes = 64;
const addressBits = 160n;
const timeBits = 48n;
const timeMask = (1n << timeBits) - 1n;

const word = (value: bigint | number): Hex => toHex(value, { size: 32 });
const mapped = (key: Hex, slot: Hex): Hex => keccak256(concat([pad(key), slot]));
const addressIn = (packed: bigint): Address =>
  getAddress(toHex(BigInt.asUintN(Number(addressBits), packed), { size: 20 }));
const timeAt = (packed: bigint, shift: bigint): number => Number((packed >> shift) & timeMask);

/** The first attestation of a content: index, time and address in one word. */
function originIn(packed: bigint) {
  const attestationIndex = timeAt(packed, addressBits + timeBits);
  return { attestationIndex, timestamp: timeAt(packed, addressBits), authorityAddress: addressIn(packed) };
}

/** Reads a registry from its storage. It returns what the views return. */
export class StoredRegistry implements Registry {
  readonly address: Address;
  readonly #state: StateReader;

  constructor(address: Address, state: StateReader) {
    this.address = address;
    this.#state = state;
  }

  /** `undefined` for a version with an unknown layout, such as the public deployment. */
  static of(named: string | undefined, address: Address, state: StateReader): StoredRegistry | undefined {
    return named === version ? new StoredRegistry(address, state) : undefined;
  }

  async entry(attestationIndex: number): Promise<RegistryEntry | undefined> {
    const base = BigInt(mapped(word(attestationIndex), word(mappings.attestations)));
    const at = (place: number) => this.#read(word(BigInt.asUintN(256, base + BigInt(place))));
    const [digest, quoteRoot] = await this.#record(attestationIndex, [
      await at(entrySlots.digest),
      await at(entrySlots.quoteRoot),
    ]);
    const child = await at(entrySlots.child);
    const packed = BigInt(await at(entrySlots.packed));
    const origin = await this.#origin(digest);
    const later = { timestamp: timeAt(packed, addressBits), authorityAddress: addressIn(packed) };
    const { timestamp, authorityAddress } = origin.attestationIndex === attestationIndex ? origin : later;
    if (timestamp === 0) return undefined;
    const revokedAt = timeAt(packed, addressBits + timeBits);
    const childDigest = BigInt(child) === 0n ? undefined : child;
    return { digest, quoteRoot, authorityAddress, timestamp, revokedAt, childDigest };
  }

  async indexBy(digest: Hex, authorityAddress: Address): Promise<number> {
    const origin = await this.#origin(digest);
    if (isAddressEqual(origin.authorityAddress, authorityAddress)) return origin.attestationIndex;
    const ofDigest = mapped(digest, word(mappings.laterIdOf));
    return Number(await this.#read(mapped(authorityAddress, ofDigest)));
  }

  async firstIndex(digest: Hex): Promise<number> {
    return (await this.#origin(digest)).attestationIndex;
  }

  async #origin(digest: Hex) {
    return originIn(BigInt(await this.#read(mapped(digest, word(mappings.firsts)))));
  }

  /** Digest and quote root; those of a batch's member are in a page. */
  async #record(index: number, stored: readonly [Hex, Hex]): Promise<readonly [Hex, Hex]> {
    if (stored.some((value) => BigInt(value) !== 0n)) return stored;
    const firstIndex = await this.#pageStart(index);
    if (firstIndex === undefined) return stored;
    const page = BigInt(await this.#read(mapped(word(firstIndex), word(mappings.pages))));
    // A STOP byte precedes the records. Code reads as zeros after its end.
    const code = page === 0n ? '' : (await this.#state.code(addressIn(page))).slice(2);
    const start = 2 * (1 + (index - firstIndex) * recordBytes);
    const record = code.slice(start, start + 2 * recordBytes).padEnd(2 * recordBytes, '0');
    return [`0x${record.slice(0, recordBytes)}`, `0x${record.slice(recordBytes)}`];
  }

  /** The last index up to this one at which a page starts; a page spans at most three words of bits. */
  async #pageStart(index: number): Promise<number | undefined> {
    const own = Math.floor(index / 256);
    for (let at = own; at >= Math.max(0, own - 2); at--) {
      const bits = BigInt(await this.#read(mapped(word(at), word(mappings.pageStarts))));
      const upTo = at === own ? BigInt.asUintN((index % 256) + 1, bits) : bits;
      if (upTo !== 0n) return at * 256 + upTo.toString(2).length - 1;
    }
    return undefined;
  }

  #read(slot: Hex): Promise<Hex> {
    return this.#state.slot(this.address, slot);
  }
}
