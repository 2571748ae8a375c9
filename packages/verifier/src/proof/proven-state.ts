import { isAddressEqual, keccak256, pad, size } from 'viem';
import type { Block } from '../chain/block.ts';
import type { Address, Hex } from '../hex.ts';
import { decodeHeader } from '../trie/block-header.ts';
import { decodeRlp, ProofUnsoundError, type RlpItem } from '../trie/rlp.ts';
import { emptyTrieRoot, readTrie } from '../trie/trie-proof.ts';
import type { ProofAccount, ProofStorage } from './proof-file.ts';
import type { StateReader } from './stored-registry.ts';

const emptyCodeHash: Hex = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const zeroWord: Hex = `0x${'0'.repeat(64)}`;

function withPath<Answer>(path: string, check: () => Answer): Answer {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ProofUnsoundError)) throw error;
    throw new ProofUnsoundError(`${path}: ${error.message}`);
  }
}

const readProven = (path: string, root: Hex, key: Hex, nodes: readonly Hex[]): RlpItem | undefined =>
  withPath(path, () => {
    const value = readTrie(root, keccak256(key), nodes);
    return value && decodeRlp(value);
  });

interface Account {
  readonly storageRoot: Hex;
  readonly codeHash: Hex;
}

/** A missing account has no storage and no code. */
function readAccount(path: string, stateRoot: Hex, { address, accountProof }: ProofAccount): Account {
  const item = readProven(`${path}.accountProof`, stateRoot, address, accountProof);
  if (item === undefined) return { storageRoot: emptyTrieRoot, codeHash: emptyCodeHash };
  const [, , storageRoot, codeHash, ...more] = typeof item === 'string' ? [] : item;
  if (typeof storageRoot === 'string' && typeof codeHash === 'string' && more.length === 0)
    return { storageRoot, codeHash };
  throw new ProofUnsoundError(`${path}.accountProof: its value is not an account`);
}

function readWord(path: string, root: Hex, slot: Hex, nodes: readonly Hex[]): Hex {
  const item = readProven(path, root, slot, nodes);
  if (item === undefined) return zeroWord;
  if (typeof item === 'string' && size(item) <= 32 && !item.startsWith('0x00')) return pad(item);
  throw new ProofUnsoundError(`${path}: its value is not a 32-byte word`);
}

interface ProvenAccount {
  readonly address: Address;
  readonly codeHash: Hex;
  readonly code: Hex | undefined;
  readonly slots: ReadonlyMap<Hex, Hex>;
}

function proveAccount(path: string, stateRoot: Hex, account: ProofAccount): ProvenAccount {
  const { address, code } = account;
  const { storageRoot, codeHash } = readAccount(path, stateRoot, account);
  if (code !== undefined && keccak256(code) !== codeHash)
    throw new ProofUnsoundError(`${path}.code does not match the account's code hash`);
  const slots = account.slots.map(({ slot, value, proof }, position) => {
    const slotPath = `${path}.slots[${position}]`;
    if (readWord(`${slotPath}.proof`, storageRoot, slot, proof) === value) return [slot, value] as const;
    throw new ProofUnsoundError(`${slotPath}.value does not match its proof`);
  });
  return { address, codeHash, code: codeHash === emptyCodeHash ? '0x' : code, slots: new Map(slots) };
}

function proveBlock({ number, hash, header }: ProofStorage['block']): { block: Block; stateRoot: Hex } {
  if (keccak256(header) !== hash)
    throw new ProofUnsoundError('storage.block.header does not match storage.block.hash');
  const decoded = withPath('storage.block.header', () => decodeHeader(header));
  const { stateRoot, timestamp } = decoded;
  if (decoded.number === number) return { block: { number, hash, timestamp }, stateRoot };
  throw new ProofUnsoundError('storage.block.number does not match storage.block.header');
}

/** Proven accounts after a block. They are correct if the chain has a block with the same hash. */
export class ProvenState implements StateReader {
  readonly block: Block;
  readonly #accounts: readonly ProvenAccount[];

  /** Checks the whole proof. @throws ProofUnsoundError */
  constructor({ block, accounts }: ProofStorage) {
    const { stateRoot, ...proven } = proveBlock(block);
    this.block = proven.block;
    this.#accounts = accounts.map((account, position) =>
      proveAccount(`storage.accounts[${position}]`, stateRoot, account),
    );
  }

  async slot(address: Address, slot: Hex): Promise<Hex> {
    const word = this.#account(address).slots.get(slot);
    if (word !== undefined) return word;
    throw new ProofUnsoundError(`storage has no proof for slot ${slot} of ${address}`);
  }

  async code(address: Address): Promise<Hex> {
    const { code } = this.#account(address);
    if (code !== undefined) return code;
    throw new ProofUnsoundError(`storage has no code for account ${address}`);
  }

  #account(address: Address): ProvenAccount {
    const account = this.#accounts.find((candidate) => isAddressEqual(candidate.address, address));
    if (account) return account;
    throw new ProofUnsoundError(`storage has no proof for account ${address}`);
  }
}
