import { type Hex, keccak256, numberToHex } from 'viem';
import { type Ask, type RpcCall, RpcRefusal } from './rpc-call.ts';
import type { Answering, RpcRule } from './rpc-proxy.ts';

/** Rule of a provider with its own answers to these methods, or to all. */
export const answered = (methods: readonly string[] | undefined, by: Answering): RpcRule => ({
  fault: { kind: 'answered', by },
  ...(methods ? { methods } : {}),
});

export function wrongChain(chainId: number): RpcRule {
  return answered(['eth_chainId'], async () => numberToHex(chainId));
}

export const receiptsHidden: RpcRule = answered(['eth_getTransactionReceipt'], async () => null);

/** Rule of a provider that accepts transactions and drops them. */
export const sendsForgotten: RpcRule = answered(['eth_sendRawTransaction'], async ({ params: [raw] = [] }) =>
  keccak256(raw as Hex),
);

/** Position of the block parameter of each method. */
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

/** Field that gives the block of an answer, so that it can be too new. */
const numberNames: Readonly<Record<string, string>> = {
  eth_getBlockByHash: 'number',
  eth_getTransactionByHash: 'blockNumber',
  eth_getTransactionReceipt: 'blockNumber',
};

/** Rule of a provider that lags: it answers as it would have so many blocks ago. */
export function stale(blocks: number): RpcRule {
  return answered(undefined, async (call, ask) => {
    const head = Number(await ask('eth_blockNumber'));
    return answerAt(call, ask, Math.max(0, head - blocks));
  });
}

async function answerAt(call: RpcCall, ask: Ask, head: number): Promise<unknown> {
  const { method, params = [] } = call;
  if (method === 'eth_blockNumber') return numberToHex(head);
  const position = blockPositions[method];
  if (position !== undefined) return answerAbout(call, ask, { position, head });
  const result = await ask(method, params);
  const name = numberNames[method];
  const number = name && (result as Readonly<Record<string, unknown>> | null)?.[name];
  return number && Number(number) > head ? null : result;
}

async function answerAbout(
  { method, params = [] }: RpcCall,
  ask: Ask,
  { position, head }: { position: number; head: number },
): Promise<unknown> {
  const named = params[position];
  if (typeof named === 'object') return answerPinned({ method, params }, ask, { named, head });
  const numbered = typeof named === 'string' && named.startsWith('0x');
  if (numbered && Number(named) > head) {
    if (method === 'eth_getBlockByNumber') return null;
    throw new RpcRefusal({ code: -32000, message: 'header not found' });
  }
  const about = numbered ? named : numberToHex(head);
  return ask(method, [...params.slice(0, position), about, ...params.slice(position + 1)]);
}

/** Answers what is asked at a block named by its hash. */
async function answerPinned(
  { method, params = [] }: Pick<RpcCall, 'method' | 'params'>,
  ask: Ask,
  { named, head }: { named: object | null; head: number },
): Promise<unknown> {
  const { blockHash } = named as Readonly<Record<'blockHash', Hex>>;
  const block = (await ask('eth_getBlockByHash', [blockHash, false])) as { number: Hex } | null;
  if (block && Number(block.number) <= head) return ask(method, params);
  throw new RpcRefusal({ code: -32000, message: 'header for hash not found' });
}
