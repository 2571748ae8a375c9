import { isHex } from 'viem';
import { malformed } from '../chain/block.ts';
import type { Provider } from '../chain/provider.ts';
import type { Address, Hex } from '../hex.ts';
import type { ProofAccount, ProofSlot } from './proof-file.ts';
import type { StateReader } from './stored-registry.ts';

interface Touched {
  readonly slots: Set<Hex>;
  code: Hex | undefined;
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

function hexIn(value: unknown, method: string): Hex {
  if (isHex(value)) return value.toLowerCase() as Hex;
  throw malformed(method);
}

function wordIn(value: unknown, method: string): Hex {
  const digits = hexIn(value, method).slice(2);
  if (digits.length <= 64) return `0x${digits.padStart(64, '0')}`;
  throw malformed(method);
}

function listIn(value: unknown, method: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw malformed(method);
}

const proofMethod = 'eth_getProof';

/** The state after one block, as a provider gives it. It remembers what was read, and gives the proofs of that. */
export class RpcState implements StateReader {
  readonly #provider: Provider;
  readonly #block: Hex;
  readonly #touched = new Map<Address, Touched>();

  constructor(provider: Provider, blockNumber: number) {
    this.#provider = provider;
    this.#block = `0x${blockNumber.toString(16)}`;
  }

  async slot(address: Address, slot: Hex): Promise<Hex> {
    this.#touch(address).slots.add(slot);
    const answer = await this.#provider.ask('eth_getStorageAt', [address, slot, this.#block]);
    return wordIn(answer, 'eth_getStorageAt');
  }

  async code(address: Address): Promise<Hex> {
    const code = hexIn(await this.#provider.ask('eth_getCode', [address, this.#block]), 'eth_getCode');
    this.#touch(address).code = code;
    return code;
  }

  /** Asks for the proofs of all that was read, each address and slot once, in ascending order. */
  async proofs(): Promise<ProofAccount[]> {
    const addresses = [...this.#touched].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    const accounts: ProofAccount[] = [];
    for (const [address, touched] of addresses) accounts.push(await this.#proof(address, touched));
    return accounts;
  }

  async #proof(address: Address, { slots, code }: Touched): Promise<ProofAccount> {
    const keys = [...slots].sort();
    const answer = await this.#provider.ask(proofMethod, [address, keys, this.#block]);
    const nodesIn = (value: unknown) => listIn(value, proofMethod).map((node) => hexIn(node, proofMethod));
    const storageProof = listIn(field(answer, 'storageProof'), proofMethod);
    const slotAt = (slot: Hex, position: number): ProofSlot => ({
      slot,
      value: wordIn(field(storageProof[position], 'value'), proofMethod),
      proof: nodesIn(field(storageProof[position], 'proof')),
    });
    return {
      address,
      accountProof: nodesIn(field(answer, 'accountProof')),
      code: code === '0x' ? undefined : code,
      slots: keys.map(slotAt),
    };
  }

  #touch(address: Address): Touched {
    const touched = this.#touched.get(address) ?? { slots: new Set(), code: undefined };
    this.#touched.set(address, touched);
    return touched;
  }
}
