import { Progress } from 'imprimatur-terminal/progress';
import { createPublicClient, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test } from 'vitest';
import { announce } from '../../../admin/setup/announce.ts';
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
  ['no server', [closed], 'no RPC provider of chain 31337 responds; replace them'],
  ['a page instead of JSON', ['broken'], 'no RPC provider of chain 31337 responds; replace them'],
  ['another chain', [{}, { chainId: 1 }], 'RPC provider 2 of 2 serves chain 1, not 31337; replace them'],
] as const)('`connectSetupChain` omits the URL when it reports %s', async (_, providers, message) => {
  const urls = await Promise.all(
    providers.map(async (one) => (one === closed ? one : (await providerOf(one as ChainState)).url)),
  );
  const error: Error = await connectSetupChain(31337, urls, 'replace them').catch((thrown) => thrown);
  expect([error.message, error.cause]).toEqual([message, undefined]);
});

test('`connectSetupChain` uses the providers that respond, and names the others', async () => {
  const { url } = await providerOf({});
  const { urls, silent } = await connectSetupChain(31337, [closed, url], '');
  expect([urls, silent]).toEqual([[url], ['RPC provider 1 of 2']]);
});

const from = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const hash = `0x${'ab'.repeat(32)}`;

/** A chain that mines each transaction at once. */
const mining = (status: string, counts: () => string, balance = parseEther('1')): ChainState => ({
  balance,
  methods: {
    eth_getTransactionCount: ([, block]) => (block === 'pending' ? counts() : '0x1'),
    eth_estimateGas: () => '0x5208',
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_blockNumber: () => '0x10',
    eth_sendRawTransaction: () => hash,
    eth_getTransactionReceipt: () => ({ status, transactionHash: hash, blockNumber: '0x10', logs: [] }),
  },
});

const quiet = new Progress({ write: () => {} });

async function send(state: ChainState, progress = quiet) {
  const { url, requests } = await providerOf(state);
  const client = createPublicClient({ transport: http(url), pollingInterval: 5 });
  const error = await sendOnce(
    { chainId: 31337, urls: [url], silent: [], client },
    { from, to: authority, value: 1n },
    progress,
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

test('`sendOnce` names the account, the chain and the coins that it lacks, and sends nothing', async () => {
  const { error, sent } = await send(mining('0x1', () => '0x1', 100n));
  expect([error, sent]).toEqual([
    `${from.address} has 0.0000000000000001 coins on chain 31337, but its transaction to ${authority} needs ` +
      '0.000025200000000001; send coins to it, and run setup again',
    0,
  ]);
});

test('`announce` prints repeatedly what a wait is for, until it ends', async () => {
  const lines: string[] = [];
  let end = (_result: string) => {};
  const waiting = new Promise<string>((resolve) => {
    end = resolve;
  });
  const write = (line: string) => {
    if (lines.push(line) === 2) end('mined');
  };
  expect(await announce(new Progress({ write }), 'Waiting.', waiting, 1)).toBe('mined');
  const line = 'Waiting. You can interrupt setup with Ctrl-C, and run it again to continue.\n';
  expect(lines).toEqual([line, line]);
});
