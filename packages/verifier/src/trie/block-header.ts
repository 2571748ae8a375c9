import { isHex, keccak256, size, toRlp } from 'viem';
import type { Hex } from '../hex.ts';
import { decodeRlp, ProofUnsoundError, type RlpItem } from './rlp.ts';

/** What a header says that a proof needs. */
export interface BlockHeader {
  readonly number: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Root of the trie of all accounts. */
  readonly stateRoot: Hex;
}

/** Fields by their names in JSON-RPC, in their order. Quantities are written without leading zeros, the others as they are. */
const fields = [
  'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom',
  'difficulty number gasLimit gasUsed timestamp extraData mixHash nonce',
  // Added by forks, one after the other: a chain has the first few.
  'baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash blockAccessListHash slotNumber',
].flatMap((names) => names.split(' '));
const quantities = new Set(
  'difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas slotNumber'.split(
    ' ',
  ),
);
const place = { stateRoot: 3, number: 8, timestamp: 11 };
/** Number of fields that every header has. */
const minFields = 15;
/** Blocks and seconds for longer than the chain will be. */
const maxNumberBytes = 6;

/** Encodes the header of a node's block; `undefined` where it has unknown fields, and so does not hash to the block's hash. */
export function encodeHeader(block: object): Hex | undefined {
  const values = new Map<string, unknown>(Object.entries(block));
  const items = fields.flatMap((name) => {
    const value = values.get(name);
    if (!isHex(value)) return [];
    return quantities.has(name) && value === '0x0' ? ['0x' as const] : [value];
  });
  const header = toRlp(items);
  return keccak256(header) === values.get('hash') ? header : undefined;
}

function numberIn(item: RlpItem | undefined): number {
  if (typeof item === 'string' && size(item) <= maxNumberBytes) return Number(item === '0x' ? 0 : item);
  throw new ProofUnsoundError('its number or time is invalid');
}

/** Decodes a header. Fields that later forks may add are let be: the hash covers them too. @throws ProofUnsoundError */
export function decodeHeader(header: Hex): BlockHeader {
  const items = decodeRlp(header);
  if (typeof items === 'string' || items.length < minFields)
    throw new ProofUnsoundError('it is not a block header');
  const stateRoot = items[place.stateRoot];
  if (typeof stateRoot !== 'string' || size(stateRoot) !== 32)
    throw new ProofUnsoundError('its state root is invalid');
  return {
    number: numberIn(items[place.number]),
    timestamp: numberIn(items[place.timestamp]),
    stateRoot,
  };
}
