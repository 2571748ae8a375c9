import { bytesToHex, isAddressEqual, keccak256, pad } from 'viem';
import type { Block } from '../chain/block.ts';
import type { Address, Hex } from '../hex.ts';
import { decodeHeader, HeaderInvalidError } from '../trie/block-header.ts';
import { decodeRlp, RlpInvalidError, type RlpItem } from '../trie/rlp.ts';
import { emptyTrieRoot, readTrie, TrieProofError } from '../trie/trie-proof.ts';
import type { ProofAccount, ProofStorage } from './proof-file.ts';
import type { StateReader } from './stored-registry.ts';

/** A proof that does not prove what it says; the message is one plain line that says where. */
export class ProofUnsoundError extends Error {
  override name = 'ProofUnsoundError';
}

const emptyCodeHash: Hex = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const zeroWord: Hex = `0x${'0'.repeat(64)}`;

/** Reads a trie's value as RLP, and says where in the file its proof is. */
function provenAt(path: string, root: Hex, key: Hex, nodes: readonly Hex[]): RlpItem | undefined {
  try {
    const value = readTrie(root, keccak256(key, 'bytes'), nodes);
    return value && decodeRlp(value);
  } catch (error) {
    if (!(error instanceof TrieProofError || error instanceof RlpInvalidError)) throw error;
    throw new ProofUnsoundError(`${path}: ${error.message}`);
  }
}

interface Account {
  readonly storageRoot: Hex;
  readonly codeHash: Hex;
}

/** An account that is not there has nothing stored, and no code. */
function readAccount(path: string, stateRoot: Hex, { address, accountProof }: ProofAccount): Account {
  const item = provenAt(`${path}.accountProof`, stateRoot, address, accountProof);
  if (item === undefined) return { storageRoot: emptyTrieRoot, codeHash: emptyCodeHash };
  const [, , storageRoot, codeHash] = item;
  if (!(item.length === 4 && storageRoot instanceof Uint8Array && codeHash instanceof Uint8Array))
    throw new ProofUnsoundError(`${path}.accountProof: its value is no account`);
  return { storageRoot: bytesToHex(storageRoot), codeHash: bytesToHex(codeHash) };
}

function readWord(path: string, root: Hex, slot: Hex, nodes: readonly Hex[]): Hex {
  const item = provenAt(path, root, slot, nodes);
  if (item === undefined) return zeroWord;
  if (item instanceof Uint8Array && item.length <= 32 && item[0] !== 0) return pad(bytesToHex(item));
  throw new ProofUnsoundError(`${path}: its value is no word`);
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
    throw new ProofUnsoundError(`${path}.code is not the code of the account`);
  const slots = account.slots.map(({ slot, value, proof }, position) => {
    const at = `${path}.slots[${position}]`;
    if (readWord(`${at}.proof`, storageRoot, slot, proof) === value) return [slot, value] as const;
    throw new ProofUnsoundError(`${at}.value is not what its proof shows`);
  });
  return { address, codeHash, code: codeHash === emptyCodeHash ? '0x' : code, slots: new Map(slots) };
}

function proveBlock({ number, hash, header }: ProofStorage['block']): { block: Block; stateRoot: Hex } {
  if (keccak256(header) !== hash)
    throw new ProofUnsoundError('storage.block.header is not the header with that hash');
  try {
    const { stateRoot, timestamp, number: proven } = decodeHeader(header);
    if (proven === number) return { block: { number, hash, timestamp }, stateRoot };
  } catch (error) {
    if (!(error instanceof HeaderInvalidError)) throw error;
    throw new ProofUnsoundError(`storage.block.header: ${error.message}`);
  }
  throw new ProofUnsoundError('storage.block.number is not that of the header');
}

/** Accounts as a proof shows them, after the block that it is of. It holds if the chain has a block with that hash. */
export class ProvenState implements StateReader {
  readonly block: Block;
  readonly #accounts: readonly ProvenAccount[];

  /** Checks the whole proof, what no verdict needs too. @throws ProofUnsoundError */
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
    throw new ProofUnsoundError(`storage has no proof of the slot ${slot} of ${address}`);
  }

  async code(address: Address): Promise<Hex> {
    const { code } = this.#account(address);
    if (code !== undefined) return code;
    throw new ProofUnsoundError(`storage does not have the code of ${address}`);
  }

  #account(address: Address): ProvenAccount {
    const account = this.#accounts.find((candidate) => isAddressEqual(candidate.address, address));
    if (account) return account;
    throw new ProofUnsoundError(`storage has no proof of the account ${address}`);
  }
}
