import { bytesToHex, hexToBytes, isHex, keccak256 } from 'viem';
import type { Hex } from '../hex.ts';
import { decodeRlp, encodeRlp, RlpInvalidError, type RlpItem } from './rlp.ts';

/** What a header says that a proof needs. */
export interface BlockHeader {
  readonly number: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Root of the trie of all accounts. */
  readonly stateRoot: Hex;
}

/** Bytes that are no header; the message is one plain line. */
export class HeaderInvalidError extends Error {
  override name = 'HeaderInvalidError';
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

function bytesOf(name: string, value: Hex): Uint8Array {
  if (!quantities.has(name)) return hexToBytes(value);
  return value === '0x0' ? new Uint8Array() : hexToBytes(value);
}

/**
 * Encodes the header of a block that a node gives. It is kept only if it hashes to the block's hash: `undefined` where
 * it does not, because the chain has fields that are not known here.
 */
export function encodeHeader(block: object): Hex | undefined {
  const values = new Map<string, unknown>(Object.entries(block));
  const items = fields.flatMap((name) => {
    const value = values.get(name);
    return isHex(value) ? [bytesOf(name, value)] : [];
  });
  const header = bytesToHex(encodeRlp(items));
  return keccak256(header) === values.get('hash') ? header : undefined;
}

function itemsOf(header: Hex): readonly RlpItem[] {
  try {
    const item = decodeRlp(hexToBytes(header));
    if (!(item instanceof Uint8Array) && item.length >= minFields) return item;
  } catch (error) {
    if (!(error instanceof RlpInvalidError)) throw error;
  }
  throw new HeaderInvalidError('it is no header of a block');
}

function numberIn(item: RlpItem | undefined): number {
  const isNumber = item instanceof Uint8Array && item.length <= maxNumberBytes && item[0] !== 0;
  if (isNumber) return item.reduce((sum, digit) => sum * 256 + digit, 0);
  throw new HeaderInvalidError('it has no usable number or time');
}

/** Decodes a header. Fields that later forks may add are let be: the hash covers them too. @throws HeaderInvalidError */
export function decodeHeader(header: Hex): BlockHeader {
  const items = itemsOf(header);
  const stateRoot = items[place.stateRoot];
  if (!(stateRoot instanceof Uint8Array) || stateRoot.length !== 32)
    throw new HeaderInvalidError('it has no state root');
  return {
    number: numberIn(items[place.number]),
    timestamp: numberIn(items[place.timestamp]),
    stateRoot: bytesToHex(stateRoot),
  };
}
