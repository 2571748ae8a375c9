import { encodeFunctionData } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { checkChain } from '../../../../admin/commands/doctor/chain/check-chain.ts';
import type { Finding } from '../../../../admin/commands/doctor/report.ts';
import { type ChainSettings, settingsSchema } from '../../../../functions/domain/settings.ts';
import { fakeAccount } from '../../../../test/admin/commands/doctor/fake-account.ts';
import { FakeDeployment, signerAddress } from '../../../../test/admin/commands/fake-deployment.ts';
import { RpcRefusal } from '../../../../test/fakes/rpc/rpc-call.ts';
import { type Answering, RpcProxy } from '../../../../test/fakes/rpc/rpc-proxy.ts';
import { delegateForwarderAbi } from '../../../artifacts/delegate-forwarder-abi.ts';
import { deployRegistry } from '../../../deploy/deploy-registry.ts';
import { sendMined } from '../chain.ts';
import { registry } from '../use-registry.ts';
import { forwarder, useServiceChain } from './chain.ts';

// Until a test adds the deployment's key, the forwarder takes only calls of another one.
useServiceChain();

type ChainInput = Partial<ChainSettings> & {
  readonly urls?: readonly string[];
  readonly isDeployed?: boolean;
};

/** Checks the chain as `doctor` does, with the deployment's key as its signer. */
async function findings({ urls = [registry.chain.rpcUrl], isDeployed = true, ...given }: ChainInput) {
  const chain = { chainId: 31_337, name: 'anvil', registryAddress: registry.address, ...given };
  const settings = settingsSchema.parse({ chains: [{ blockTimeSeconds: 1, confirmations: 1, ...chain }] });
  const [parsed] = settings.chains;
  if (!parsed) throw new Error('no chain');
  return checkChain({
    ...{ account: fakeAccount({ rpcUrls: async () => urls }), settings, chain: parsed },
    ...{ rpcUrlsPath: '/rpc', deployment: isDeployed ? new FakeDeployment() : undefined, now: new Date() },
  });
}

const find = (all: readonly Finding[], check: string) => all.find((one) => one.check === check);

/** A provider in front of the chain that answers a method otherwise. */
async function provider(method: string, by: Answering): Promise<RpcProxy> {
  const proxy = await RpcProxy.start(registry.chain.rpcUrl);
  onTestFinished(() => proxy.stop());
  proxy.set({ methods: [method], fault: { kind: 'answered', by } });
  return proxy;
}

const lacksSimulation = () =>
  provider('eth_simulateV1', () =>
    Promise.reject(new RpcRefusal({ code: -32601, message: 'the method eth_simulateV1 does not exist' })),
  );

test('`doctor` simulates commit and reveal by the key, with gas and cost, and sends nothing', async () => {
  const watched = await provider('eth_chainId', (_, ask) => ask('eth_chainId'));
  const before = await registry.chain.client.getBlockNumber();
  const all = await findings({ urls: [watched.url] });
  expect(find(all, 'commit and reveal')).toMatchObject({ state: 'ok' });
  expect(find(all, 'commit and reveal')?.message).toMatch(
    /by the key, 60 s apart: \d{5} and \d{5,6} gas, 0\.\d+ of/,
  );
  expect(find(all, 'registry')?.message).toContain('AttestationRegistry 2');
  expect(find(all, 'signer')).toMatchObject({ state: 'ok' });
  expect(all.filter(({ state }) => state === 'problem')).toEqual([]);
  expect(await registry.chain.client.getBlockNumber()).toBe(before);
  const methods = [...watched.counts.keys()];
  expect(methods.filter((method) => /send|sign|anvil|evm/i.test(method))).toEqual([]);
});

test('`doctor` simulates with another sender before the first deployment', async () => {
  const all = await findings({ isDeployed: false, delegates: [forwarder, 'key'] });
  expect(find(all, 'commit and reveal')).toMatchObject({ state: 'ok' });
  expect(find(all, 'commit and reveal')?.message).toContain(`through ${forwarder}`);
  expect(find(all, 'signer')).toMatchObject({ state: 'not checked' });
});

test('`doctor` reports a forwarder that does not have the key as an operator', async () => {
  const refused = find(await findings({ delegates: [forwarder] }), 'forwarder');
  expect(refused).toMatchObject({ state: 'problem' });
  expect(refused?.todo).toContain(`addOperator(${signerAddress})`);
  const data = encodeFunctionData({
    ...{ abi: delegateForwarderAbi, functionName: 'addOperator', args: [signerAddress] },
  });
  await sendMined(registry.chain, { to: forwarder, data });
  const all = await findings({ delegates: [forwarder] });
  expect(find(all, 'forwarder')).toMatchObject({ state: 'ok' });
  expect(find(all, 'commit and reveal')).toMatchObject({ state: 'ok' });
});

test('`doctor` reports a forwarder of another registry, and a missing forwarder', async () => {
  const { client } = registry.chain;
  const other = await deployRegistry({ publicClient: client, walletClient: client, revealDelaySeconds: 30 });
  const wrong = await findings({ registryAddress: other, delegates: [forwarder] });
  expect(find(wrong, 'forwarder')?.message).toContain(`serves ${registry.address}`);
  expect(find(wrong, 'commit and reveal')).toMatchObject({ state: 'problem' });
  const none = await findings({ delegates: [signerAddress] });
  expect(find(none, 'forwarder')).toMatchObject({
    state: 'problem',
    message: `there is no contract at ${signerAddress}`,
  });
});

test('`doctor` reports a missing registry, and another contract at its address', async () => {
  const none = find(await findings({ registryAddress: signerAddress }), 'registry');
  expect(none).toMatchObject({ state: 'problem', message: `there is no contract at ${signerAddress}` });
  const all = await findings({ registryAddress: forwarder, delegates: ['key'] });
  expect(find(all, 'registry')).toMatchObject({ state: 'problem' });
  expect(find(all, 'commit and reveal')).toMatchObject({ state: 'problem' });
});

test('`doctor` reports a registry with a longer delay than the settings', async () => {
  const all = await findings({ revealDelaySeconds: 59 });
  expect(find(all, 'registry')).toMatchObject({ state: 'problem', todo: 'Set revealDelaySeconds to 60.' });
  expect(find(all, 'commit and reveal')).toMatchObject({ state: 'problem' });
  expect(find(all, 'commit and reveal')?.message).toContain('reveal 59 s after its commit as too early');
});

test('doctor warns if no provider supports eth_simulateV1', async () => {
  const { url } = await lacksSimulation();
  const found = find(await findings({ urls: [url] }), 'commit and reveal');
  expect(found).toMatchObject({ state: 'warning' });
  expect(found?.message).toContain('no provider can simulate it');
});

test('`doctor` asks the next provider if one does not move the time for the reveal', async () => {
  const still = await provider('eth_simulateV1', async ({ params = [] }, ask) => {
    const [{ blockStateCalls, ...rest }, ...others] = params as [{ blockStateCalls: { calls: unknown }[] }];
    const plain = blockStateCalls.map(({ calls }) => ({ calls }));
    return ask('eth_simulateV1', [{ ...rest, blockStateCalls: plain }, ...others]);
  });
  const single = find(await findings({ urls: [still.url] }), 'commit and reveal');
  expect(single).toMatchObject({ state: 'warning' });
  const both = find(await findings({ urls: [still.url, registry.chain.rpcUrl] }), 'commit and reveal');
  expect(both).toMatchObject({ state: 'ok' });
});

test('`doctor` names providers that do not respond, serve another chain, are behind or on a fork', async () => {
  const good = registry.chain.rpcUrl;
  const foreign = await provider('eth_chainId', async () => '0x1');
  const one = find(await findings({ urls: [good, foreign.url] }), 'providers');
  expect(one).toMatchObject({ state: 'warning' });
  expect(one?.message).toContain('does not serve chain 31337');
  const none = await findings({ urls: [foreign.url, 'http://127.0.0.1:9/secret-key'] });
  expect(find(none, 'providers')).toMatchObject({ state: 'problem' });
  expect(JSON.stringify(none)).not.toContain('secret-key');
  await registry.chain.client.mine({ blocks: 60 });
  const behind = await provider('eth_getBlockByNumber', ({ params }, ask) =>
    ask('eth_getBlockByNumber', params?.[0] === 'latest' ? ['0x2', false] : params),
  );
  const late = find(await findings({ urls: [good, behind.url] }), 'newest block');
  expect(late?.message).toMatch(/is \d+ blocks behind/);
  const fork = await provider('eth_getBlockByNumber', async ({ params }, ask) => ({
    ...((await ask('eth_getBlockByNumber', params)) as object),
    hash: `0x${'ab'.repeat(32)}`,
  }));
  const split = find(await findings({ urls: [good, fork.url] }), 'newest block');
  expect(split?.message).toContain('the providers disagree on block');
});

test('`doctor` compares block time and finality with the settings', async () => {
  await registry.chain.client.mine({ blocks: 30, interval: 12 });
  const all = await findings({ blockTimeSeconds: 0.25, confirmations: 'finalized' });
  expect(find(all, 'block time')).toMatchObject({ state: 'warning' });
  const pruned = await provider('eth_getTransactionCount', () =>
    Promise.reject(new RpcRefusal({ code: -32000, message: 'missing trie node' })),
  );
  const shown = find(await findings({ urls: [pruned.url], confirmations: 'finalized' }), 'finality');
  expect(shown).toMatchObject({ state: 'problem' });
  expect(shown?.todo).toContain('archive');
});

test('`doctor` reports a signer without funds', async () => {
  const empty = await provider('eth_getBalance', async () => '0x0');
  const found = find(await findings({ urls: [empty.url] }), 'signer');
  expect(found).toMatchObject({
    state: 'problem',
    message: `${signerAddress} has no funds, so nothing is sent`,
  });
});
