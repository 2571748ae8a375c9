import { type Hex, keccak256, numberToHex } from 'viem';
import { type RpcCall, RpcRefusal, type RpcRequester } from './rpc-call.ts';
import type { Answerer, RpcRule } from './rpc-proxy.ts';

/** Rule of a provider that answers these methods, or all, by a function. */
export const answeredBy = (methods: readonly string[] | undefined, by: Answerer): RpcRule => ({
  fault: { kind: 'answered', by },
  ...(methods ? { methods } : {}),
});

export function wrongChain(chainId: number): RpcRule {
  return answeredBy(['eth_chainId'], async () => numberToHex(chainId));
}

export const receiptsHidden: RpcRule = answeredBy(['eth_getTransactionReceipt'], async () => null);

/** Rule of a provider that accepts transactions and drops them. */
export const sendsForgotten: RpcRule = answeredBy(
  ['eth_sendRawTransaction'],
  async ({ params: [raw] = [] }) => keccak256(raw as Hex),
);

const blockPositions: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_feeHistory: 1,
  eth_getBalance: 1,
  eth_getBlockByNumber: 0,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
};

/** Field of an answer that contains its block number, which may be above the head. */
const numberNames: Readonly<Record<string, string>> = {
  eth_getBlockByHash: 'number',
  eth_getTransactionByHash: 'blockNumber',
  eth_getTransactionReceipt: 'blockNumber',
};

/** Rule of a provider that lags: it answers as it would have that many blocks ago. */
export function laggingRule(blocks: number): RpcRule {
  return answeredBy(undefined, async (call, request) => {
    const head = Number(await request('eth_blockNumber'));
    return answerAtHead(call, request, Math.max(0, head - blocks));
  });
}

async function answerAtHead(call: RpcCall, request: RpcRequester, head: number): Promise<unknown> {
  const { method, params = [] } = call;
  if (method === 'eth_blockNumber') return numberToHex(head);
  const position = blockPositions[method];
  if (position !== undefined) return answerAtBlock(call, request, { position, head });
  const result = await request(method, params);
  const name = numberNames[method];
  const number = name && (result as Readonly<Record<string, unknown>> | null)?.[name];
  return number && Number(number) > head ? null : result;
}

async function answerAtBlock(
  { method, params = [] }: RpcCall,
  request: RpcRequester,
  { position, head }: { position: number; head: number },
): Promise<unknown> {
  const blockParameter = params[position];
  if (typeof blockParameter === 'object')
    return answerAtHash({ method, params }, request, { blockParameter, head });
  const isNumber = typeof blockParameter === 'string' && blockParameter.startsWith('0x');
  if (isNumber && Number(blockParameter) > head) {
    if (method === 'eth_getBlockByNumber') return null;
    throw new RpcRefusal({ code: -32000, message: 'header not found' });
  }
  const block = isNumber ? blockParameter : numberToHex(head);
  return request(method, [...params.slice(0, position), block, ...params.slice(position + 1)]);
}

/** Answers a call about a block that is given by its hash. */
async function answerAtHash(
  { method, params = [] }: Pick<RpcCall, 'method' | 'params'>,
  request: RpcRequester,
  { blockParameter, head }: { blockParameter: object | null; head: number },
): Promise<unknown> {
  const { blockHash } = blockParameter as Readonly<Record<'blockHash', Hex>>;
  const block = (await request('eth_getBlockByHash', [blockHash, false])) as { number: Hex } | null;
  if (block && Number(block.number) <= head) return request(method, params);
  throw new RpcRefusal({ code: -32000, message: 'header for hash not found' });
}
