import { encodeFunctionData } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { checkChain } from '../../../../admin/commands/doctor/chain/check-chain.ts';
import type { Finding } from '../../../../admin/commands/doctor/report.ts';
import { type ChainSettings, settingsSchema } from '../../../../functions/domain/settings.ts';
import { fakeAccount } from '../../../../test/admin/commands/doctor/fake-account.ts';
import { FakeDeployment, signerAddress } from '../../../../test/admin/commands/fake-deployment.ts';
import { RpcRefusal } from '../../../../test/fakes/rpc/rpc-call.ts';
import { type Answerer, RpcProxy } from '../../../../test/fakes/rpc/rpc-proxy.ts';
import { delegateForwarderAbi } from '../../../artifacts/delegate-forwarder-abi.ts';
import { sendMined } from '../chain.ts';
import { RegistryFixture } from '../registry.ts';
import { registry } from '../use-registry.ts';
import { forwarder, useServiceChain } from './chain.ts';

// Until a test adds the deployment's key, the forwarder accepts only calls by another key.
useServiceChain();

type ChainInput = Partial<ChainSettings> & {
  readonly urls?: readonly string[];
  readonly isDeployed?: boolean;
};

/** Checks the chain as `doctor` does, with the deployment's key as its signer. */
async function findings({ urls = [registry.chain.rpcUrl], isDeployed = true, ...overrides }: ChainInput) {
  const chain = { chainId: 31_337, name: 'anvil', registryAddress: registry.address, ...overrides };
  const settings = settingsSchema.parse({ chains: [{ blockTimeSeconds: 1, confirmations: 1, ...chain }] });
  const [parsed] = settings.chains;
  if (!parsed) throw new Error('no chain');
  return checkChain({
    account: fakeAccount({ providers: async () => ({ urls, advice: '' }) }),
    ...{ settings, chain: parsed },
    ...{ rpcUrlsPath: '/rpc', deployment: isDeployed ? new FakeDeployment() : undefined, now: new Date() },
  });
}

/** Expects this state of a check, with these words in its message or advice. */
function expectFinding(
  all: readonly Finding[],
  check: string,
  state: Finding['state'],
  words: string | RegExp = '',
): void {
  const finding = all.find((item) => item.check === check);
  expect(finding).toMatchObject({ check, state });
  expect(`${finding?.message}\n${finding?.todo}`).toMatch(words);
}

/** A proxy of the chain's node that answers one method differently. */
async function provider(method: string, by: Answerer): Promise<RpcProxy> {
  const proxy = await RpcProxy.start(registry.chain.rpcUrl);
  onTestFinished(() => proxy.stop());
  proxy.addRule({ methods: [method], fault: { kind: 'answered', by } });
  return proxy;
}

const refusing = (method: string, code: number, message: string) =>
  provider(method, () => Promise.reject(new RpcRefusal({ code, message })));

test('`doctor` simulates commit and reveal by the key, with gas and cost, and sends nothing', async () => {
  const watched = await provider('eth_chainId', (_, ask) => ask('eth_chainId'));
  const before = await registry.chain.client.getBlockNumber();
  const all = await findings({ urls: [watched.url] });
  const costs = /by the key, 60 s apart: \d{5} and \d{5,6} gas, 0\.\d+ of/;
  expectFinding(all, 'commit and reveal', 'ok', costs);
  expectFinding(all, 'registry', 'ok', 'AttestationRegistry 2');
  expectFinding(all, 'signer', 'ok');
  expect(all.filter(({ state }) => state === 'problem')).toEqual([]);
  expect(await registry.chain.client.getBlockNumber()).toBe(before);
  const methods = [...watched.counts.keys()];
  expect(methods.filter((method) => /send|sign|anvil|evm/i.test(method))).toEqual([]);
});

test('`doctor` simulates with another sender before the first deployment', async () => {
  const all = await findings({ isDeployed: false, delegates: [forwarder, 'key'] });
  expectFinding(all, 'commit and reveal', 'ok', `through ${forwarder}`);
  expectFinding(all, 'signer', 'not checked');
});

test('`doctor` reports a forwarder that does not have the key as an operator', async () => {
  const refused = await findings({ delegates: [forwarder] });
  expectFinding(refused, 'forwarder', 'problem', `addOperator(${signerAddress})`);
  const data = encodeFunctionData({
    ...{ abi: delegateForwarderAbi, functionName: 'addOperator', args: [signerAddress] },
  });
  await sendMined(registry.chain, { to: forwarder, data });
  const all = await findings({ delegates: [forwarder] });
  for (const check of ['forwarder', 'commit and reveal']) expectFinding(all, check, 'ok');
});

test('`doctor` reports a forwarder of another registry, and a missing forwarder', async () => {
  const other = await RegistryFixture.deploy(registry.chain, 30);
  const wrong = await findings({ registryAddress: other.address, delegates: [forwarder] });
  expectFinding(wrong, 'forwarder', 'problem', `serves ${registry.address}`);
  expectFinding(wrong, 'commit and reveal', 'problem');
  const none = await findings({ delegates: [signerAddress] });
  expectFinding(none, 'forwarder', 'problem', `there is no contract at ${signerAddress}`);
});

test('`doctor` reports a missing registry, and another contract at its address', async () => {
  const none = await findings({ registryAddress: signerAddress });
  expectFinding(none, 'registry', 'problem', `there is no contract at ${signerAddress}`);
  const all = await findings({ registryAddress: forwarder, delegates: ['key'] });
  for (const check of ['registry', 'commit and reveal']) expectFinding(all, check, 'problem');
});

test('`doctor` reports a registry with a longer delay than the settings', async () => {
  const all = await findings({ revealDelaySeconds: 59 });
  expectFinding(all, 'registry', 'problem', 'Set revealDelaySeconds to 60.');
  expectFinding(all, 'commit and reveal', 'problem', 'reveal 59 s after its commit as too early');
});

test('`doctor` warns if no provider supports eth_simulateV1', async () => {
  const { url } = await refusing('eth_simulateV1', -32601, 'the method eth_simulateV1 does not exist');
  expectFinding(
    await findings({ urls: [url] }),
    'commit and reveal',
    'warning',
    'no provider can simulate it',
  );
});

test('`doctor` queries the next provider if one ignores the time of the reveal', async () => {
  const still = await provider('eth_simulateV1', async ({ params = [] }, ask) => {
    const [{ blockStateCalls, ...rest }, ...others] = params as [{ blockStateCalls: { calls: unknown }[] }];
    const plain = blockStateCalls.map(({ calls }) => ({ calls }));
    return ask('eth_simulateV1', [{ ...rest, blockStateCalls: plain }, ...others]);
  });
  expectFinding(await findings({ urls: [still.url] }), 'commit and reveal', 'warning');
  expectFinding(await findings({ urls: [still.url, registry.chain.rpcUrl] }), 'commit and reveal', 'ok');
});

test('`doctor` reports providers that do not respond, serve another chain, are behind or on a fork', async () => {
  const good = registry.chain.rpcUrl;
  const foreign = await provider('eth_chainId', async () => '0x1');
  const item = await findings({ urls: [good, foreign.url] });
  expectFinding(item, 'providers', 'warning', 'does not serve chain 31337');
  const none = await findings({ urls: [foreign.url, 'http://127.0.0.1:9/secret-key'] });
  expectFinding(none, 'providers', 'problem');
  expect(JSON.stringify(none)).not.toContain('secret-key');
  await registry.chain.client.mine({ blocks: 60 });
  const behind = await provider('eth_getBlockByNumber', ({ params }, ask) =>
    ask('eth_getBlockByNumber', params?.[0] === 'latest' ? ['0x2', false] : params),
  );
  expectFinding(
    await findings({ urls: [good, behind.url] }),
    'newest block',
    'warning',
    /is \d+ blocks behind/,
  );
  const fork = await provider('eth_getBlockByNumber', async ({ params }, ask) => ({
    ...((await ask('eth_getBlockByNumber', params)) as object),
    hash: `0x${'ab'.repeat(32)}`,
  }));
  const split = await findings({ urls: [good, fork.url] });
  expectFinding(split, 'newest block', 'warning', 'the providers disagree on block');
});

test('`doctor` compares block time and finality with the settings', async () => {
  await registry.chain.client.mine({ blocks: 30, interval: 12 });
  const all = await findings({ blockTimeSeconds: 0.25, confirmations: 'finalized' });
  expectFinding(all, 'block time', 'warning');
  const { url } = await refusing('eth_getTransactionCount', -32000, 'missing trie node');
  const pruned = await findings({ urls: [url], confirmations: 'finalized' });
  expectFinding(pruned, 'finality', 'problem', 'archive');
});

test('`doctor` reports a signer without funds', async () => {
  const { url } = await provider('eth_getBalance', async () => '0x0');
  const message = `${signerAddress} has no funds, so nothing is sent`;
  expectFinding(await findings({ urls: [url] }), 'signer', 'problem', message);
});
