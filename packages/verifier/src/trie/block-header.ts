import { isHex, keccak256, size, toRlp } from 'viem';
import type { Hex } from '../hex.ts';
import { decodeRlp, ProofUnsoundError, type RlpItem } from './rlp.ts';

export interface BlockHeader {
  readonly number: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly stateRoot: Hex;
}

/** Names of the fields in JSON-RPC, in the order of the header. Quantities have no leading zeros. */
const fields = [
  'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom',
  'difficulty number gasLimit gasUsed timestamp extraData mixHash nonce',
  // Added by forks in this order.
  'baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash blockAccessListHash slotNumber',
].flatMap((names) => names.split(' '));
const quantities = new Set(
  'difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas slotNumber'.split(
    ' ',
  ),
);
const index = { stateRoot: 3, number: 8, timestamp: 11 };
const minFields = 15;
const maxNumberBytes = 6;

/** Encodes a block's header; `undefined` if its hash is not the block's, because the block has unknown fields. */
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

/** Decodes a header, and ignores fields of later forks. @throws ProofUnsoundError */
export function decodeHeader(header: Hex): BlockHeader {
  const items = decodeRlp(header);
  if (typeof items === 'string' || items.length < minFields)
    throw new ProofUnsoundError('it is not a block header');
  const stateRoot = items[index.stateRoot];
  if (typeof stateRoot !== 'string' || size(stateRoot) !== 32)
    throw new ProofUnsoundError('its state root is invalid');
  return { number: numberIn(items[index.number]), timestamp: numberIn(items[index.timestamp]), stateRoot };
}
