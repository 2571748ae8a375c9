import { createPublicClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test } from 'vitest';
import { connectSetupChain, sendOnce } from '../../../admin/setup/chain.ts';
import { RpcServer } from '../../fakes/rpc/rpc-server.ts';
import { authority } from '../commands/fake-deployment.ts';
import { answerRpc, type ChainState } from './fake-setup.ts';

async function providerOf(state: ChainState | 'broken') {
  const server = new RpcServer(({ method, params }) =>
    state === 'broken' ? '<html>' : { result: answerRpc(state, method, params) },
  );
  onTestFinished(() => server.stop());
  return { url: await server.start(), requests: server.requests };
}

const closed = 'http://127.0.0.1:1/secret-key';

test.each([
  ['no server', [closed], 'RPC provider 1 of 1 of chain 31337 does not respond'],
  ['a page instead of JSON', ['broken'], 'RPC provider 1 of 1 of chain 31337 does not respond'],
  ['another chain', [{}, { chainId: 1 }], 'RPC provider 2 of 2 serves chain 1, not 31337'],
] as const)('`connectSetupChain` reports %s without the URL', async (_, providers, message) => {
  const urls = await Promise.all(
    providers.map(async (one) => (one === closed ? one : (await providerOf(one as ChainState)).url)),
  );
  const error: Error = await connectSetupChain(31337, urls).catch((thrown) => thrown);
  expect([error.message, error.cause]).toEqual([message, undefined]);
});

const from = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const hash = `0x${'ab'.repeat(32)}`;

/** A chain that mines each transaction at once. */
const mining = (status: string, counts: () => string): ChainState => ({
  methods: {
    eth_getTransactionCount: ([, block]) => (block === 'pending' ? counts() : '0x1'),
    eth_estimateGas: () => '0x5208',
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_blockNumber: () => '0x10',
    eth_sendRawTransaction: () => hash,
    eth_getTransactionReceipt: () => ({ status, transactionHash: hash, blockNumber: '0x10', logs: [] }),
  },
});

async function send(state: ChainState) {
  const { url, requests } = await providerOf(state);
  const client = createPublicClient({ transport: http(url), pollingInterval: 5 });
  const error = await sendOnce(
    { chainId: 31337, urls: [url], client },
    { from, to: authority, value: 1n },
  ).catch((thrown: Error) => thrown.message);
  const sent = requests.flat().filter((method) => method === 'eth_sendRawTransaction');
  return { error, sent: sent.length };
}

test('`sendOnce` waits for a pending transaction of the account, and sends nothing then', async () => {
  const counts = ['0x3', '0x2', '0x1'];
  expect(await send(mining('0x1', () => counts.shift() ?? '0x1'))).toEqual({ error: undefined, sent: 0 });
  expect(counts).toEqual([]);
});

test('`sendOnce` sends one transaction, and throws if it reverts', async () => {
  expect(await send(mining('0x1', () => '0x1'))).toEqual({ error: undefined, sent: 1 });
  expect(await send(mining('0x0', () => '0x1'))).toEqual({
    ...{ error: `the transaction ${hash} to ${authority} reverted`, sent: 1 },
  });
});
