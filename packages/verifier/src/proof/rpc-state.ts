import { numberToHex, pad } from 'viem';
import type { Provider } from '../chain/provider.ts';
import type { Address, Hex } from '../hex.ts';
import type { Part } from '../part.ts';
import type { ProofAccount } from './proof-file.ts';
import type { StateReader } from './stored-registry.ts';

interface AccountReads {
  readonly slots: Set<Hex>;
  code: Hex | undefined;
}

const bytesIn = (part: Part) => part.hex().toLowerCase() as Hex;
const wordIn = (part: Part) => pad(part.text(/^0x[0-9a-f]{0,64}$/i, 'a word').toLowerCase() as Hex);
const nodesIn = (part: Part) => part.list(0, Number.POSITIVE_INFINITY, bytesIn);

/** Reads the state after one block from a provider, records which slots and code it read, and gets their proofs. */
export class RpcState implements StateReader {
  readonly #provider: Provider;
  readonly #block: Hex;
  readonly #reads = new Map<Address, AccountReads>();

  constructor(provider: Provider, blockNumber: number) {
    this.#provider = provider;
    this.#block = numberToHex(blockNumber);
  }

  async slot(address: Address, slot: Hex): Promise<Hex> {
    this.#readsOf(address).slots.add(slot);
    return wordIn(await this.#provider.requestPart('eth_getStorageAt', [address, slot, this.#block]));
  }

  async code(address: Address): Promise<Hex> {
    const code = bytesIn(await this.#provider.requestPart('eth_getCode', [address, this.#block]));
    this.#readsOf(address).code = code;
    return code;
  }

  async proofs(): Promise<ProofAccount[]> {
    const addresses = [...this.#reads].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    const accounts: ProofAccount[] = [];
    for (const [address, reads] of addresses) accounts.push(await this.#proof(address, reads));
    return accounts;
  }

  async #proof(address: Address, { slots, code }: AccountReads): Promise<ProofAccount> {
    const keys = [...slots].sort();
    const answer = await this.#provider.requestPart('eth_getProof', [address, keys, this.#block]);
    const proofs = answer.field('storageProof').list(keys.length, keys.length, (part) => ({
      value: wordIn(part.field('value')),
      proof: nodesIn(part.field('proof')),
    }));
    return {
      address,
      accountProof: nodesIn(answer.field('accountProof')),
      code: code === '0x' ? undefined : code,
      slots: proofs.map((proof, position) => ({ slot: keys[position] ?? '0x', ...proof })),
    };
  }

  #readsOf(address: Address): AccountReads {
    const reads = this.#reads.get(address) ?? { slots: new Set(), code: undefined };
    this.#reads.set(address, reads);
    return reads;
  }
}
