import { setTimeout as sleep } from 'node:timers/promises';
import { create2ProxyAddress } from 'imprimatur-contracts/deploy/deployment';
import { pad } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { fundedAccount } from '../../../contracts/test/chain/chain.ts';
import { startAmsterdam } from './amsterdam.ts';
import { askAt, postRpc, type RpcError } from './rpc-call.ts';

async function start(blockTimeSeconds?: number) {
  const { url, stop } = await startAmsterdam(blockTimeSeconds);
  onTestFinished(stop);
  return { url, ask: askAt(url), stop };
}

test('takes gas for state by its bytes: 1,530 for one of code, 97,920 for a word of storage', async () => {
  const { ask } = await start();
  const { address } = fundedAccount(0);
  const estimate = async (data: string) => Number(await ask('eth_estimateGas', [{ from: address, data }]));
  const [none, code, word] = [
    // return(0, 0); return(0, 64); sstore(0, 1) return(0, 0): of as many bytes of calldata.
    await estimate('0x5f5ff3000000'),
    await estimate('0x60405ff30000'),
    await estimate('0x60015f555f5ff3'),
  ];
  expect(code - none).toBeGreaterThanOrEqual(64 * 1530);
  expect(code - none).toBeLessThan(64 * 1530 + 200);
  expect(word - none).toBeGreaterThanOrEqual(97_920 + 5000);
  expect(word - none).toBeLessThan(97_920 + 5200);
});

test('answers in the envelope of JSON-RPC, one call and many, results and errors', async () => {
  const { url } = await start();
  const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method });
  const calls = [call(7, 'eth_chainId'), call(8, 'eth_nothing')];
  const chainId = { jsonrpc: '2.0', id: 7, result: '0x7a69' };
  expect(JSON.parse(await postRpc(url, JSON.stringify(calls[0])))).toEqual(chainId);
  const refused = { jsonrpc: '2.0', id: 8, error: expect.objectContaining({ code: -32004 }) };
  expect(JSON.parse(await postRpc(url, JSON.stringify(calls)))).toEqual([chainId, refused]);
});

test('answers a revert as other nodes do', async () => {
  const { url } = await start();
  // The CREATE2 proxy reverts without data; the creation reverts with 32 bytes.
  const creation = { data: `0x60015f5260205ffd`, from: fundedAccount(0).address };
  const calls = [
    { method: 'eth_call', params: [{ to: create2ProxyAddress }, 'latest'] },
    { method: 'eth_estimateGas', params: [creation, 'latest'] },
  ];
  const answers = JSON.parse(await postRpc(url, JSON.stringify(calls.map((call) => ({ id: 1, ...call })))));
  const errors = answers.map(({ error: { code, data } }: { error: RpcError }) => ({ code, data }));
  expect(errors).toEqual([
    { code: 3, data: '0x' },
    { code: 3, data: pad('0x01') },
  ]);
});

test('makes blocks by the clock where it is told to, and answers no more once stopped', async () => {
  const { ask, stop } = await start(1);
  while ((await ask('eth_blockNumber')) === '0x0') await sleep(50);
  await stop();
  await expect(ask('eth_blockNumber')).rejects.toThrow('fetch failed');
});
