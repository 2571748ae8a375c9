import { createBlockHeaderFromRPC } from '@ethereumjs/block';
import { bytesToHex, fromRlp, type Hex, toRlp } from 'viem';
import { describe, expect, test } from 'vitest';
import { startAmsterdam } from '../../../../test/fakes/rpc/amsterdam.ts';
import { postJsonRpc } from '../../src/chain/json-rpc.ts';
import { decodeHeader, encodeHeader } from '../../src/trie/block-header.ts';
import { ProofUnsoundError } from '../../src/trie/rlp.ts';

const hashOf = (digit: string): Hex => `0x${digit.repeat(64)}`;

const legacy = {
  parentHash: hashOf('1'),
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: `0x${'33'.repeat(20)}`,
  stateRoot: hashOf('4'),
  transactionsRoot: hashOf('5'),
  receiptsRoot: hashOf('6'),
  logsBloom: `0x${'07'.repeat(256)}`,
  difficulty: '0x0',
  number: '0x1',
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
  timestamp: '0x55ba4224',
  extraData: '0x',
  mixHash: hashOf('8'),
  nonce: '0x0000000000000000',
} as const;
const frontier = { ...legacy, difficulty: '0x400000000' } as const;
const london = { ...frontier, number: '0xc65d40', timestamp: '0x61000000', baseFeePerGas: '0x7' } as const;
const prague = {
  ...legacy,
  ...{ number: '0x1312d00', timestamp: '0x68200000', baseFeePerGas: '0x7', withdrawalsRoot: hashOf('9') },
  ...{ blobGasUsed: '0x20000', excessBlobGas: '0x0', parentBeaconBlockRoot: hashOf('a') },
  requestsHash: hashOf('b'),
} as const;

describe.each([
  ['frontier', frontier, 15],
  ['london', london, 16],
  ['prague', prague, 21],
] as const)('a %s header', (_, fields, fieldCount) => {
  const libraryHeader = createBlockHeaderFromRPC(fields as never, { setHardfork: true });
  const block = { ...fields, hash: bytesToHex(libraryHeader.hash()), size: '0x220', totalDifficulty: '0x0' };

  test('is encoded like the library encodes it', () => {
    expect(encodeHeader(block)).toBe(toRlp(libraryHeader.raw() as never, 'hex'));
    expect(libraryHeader.raw()).toHaveLength(fieldCount);
  });

  test('is decoded into number, time and state root', () => {
    expect(decodeHeader(encodeHeader(block) ?? '0x')).toEqual({
      number: Number(fields.number),
      timestamp: Number(fields.timestamp),
      stateRoot: fields.stateRoot,
    });
  });

  test('is rejected with a field changed or missing', () => {
    for (const name of Object.keys(fields)) {
      expect(encodeHeader({ ...block, [name]: undefined })).toBeUndefined();
      expect(encodeHeader({ ...block, [name]: '0x1234' })).toBeUndefined();
    }
    expect(encodeHeader({ ...block, hash: hashOf('0') })).toBeUndefined();
  });
});

test('an encoded amsterdam header has the hash that the node returns', async () => {
  const node = await startAmsterdam();
  try {
    const request = (method: string, ...params: unknown[]) => postJsonRpc(node.url, { method, params });
    await request('hardhat_mine', '0x3');
    const block = (await request('eth_getBlockByNumber', 'latest', false)) as Record<string, Hex>;
    const items = fromRlp(encodeHeader(block) ?? '0x');
    expect(items).toHaveLength(23);
    for (const name of ['blockAccessListHash', 'slotNumber'])
      expect(encodeHeader({ ...block, [name]: undefined })).toBeUndefined();
  } finally {
    await node.stop();
  }
});

test('`decodeHeader` ignores fields of later forks', () => {
  const hash = bytesToHex(createBlockHeaderFromRPC(prague as never, { setHardfork: true }).hash());
  const known = fromRlp(encodeHeader({ ...prague, hash }) ?? '0x') as readonly Hex[];
  const later = toRlp([...known, hashOf('c'), '0x05', []]);
  expect(decodeHeader(later)).toMatchObject({ number: Number(prague.number), stateRoot: hashOf('4') });
});

type Item = Hex | readonly [];
const items = (length: number): Item[] => Array.from({ length }, () => hashOf('1'));
test.each<[string, Item | readonly Item[]]>([
  ['nothing', '0x'],
  ['bytes', '0x1234'],
  ['too few fields', items(14)],
  ['a number that no block has', items(15)],
  ['a list for a state root', items(15).with(3, [])],
  ['a short state root', items(15).with(3, '0x11')],
])('`decodeHeader` rejects %s', (_, fields) => {
  expect(() => decodeHeader(toRlp(fields as never, 'hex'))).toThrow(ProofUnsoundError);
});
