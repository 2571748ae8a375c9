import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RegistryFixture, startRegistry } from '../../contracts/test/chain/registry.ts';
import { writeSigned } from '../../packages/verifier/test/delegation/signed.ts';
import { DeploymentOnAnvil } from '../admin/commands/delegation/deployment-on.ts';
import { run, signerAddress } from '../admin/commands/fake-deployment.ts';
import { RpcProxy, type RpcRule } from '../fakes/rpc/rpc-proxy.ts';

const authority = privateKeyToAccount(generatePrivateKey());
const payerKey = generatePrivateKey();
const payer = privateKeyToAccount(payerKey);

let registry: RegistryFixture;
let provider: RpcProxy;
let directory: string;
beforeEach(async () => {
  registry = await startRegistry();
  provider = await RpcProxy.start(registry.chain.rpcUrl);
  directory = mkdtempSync(`${tmpdir()}/delegation-`);
  writeFileSync(`${directory}/key`, payerKey);
  await registry.chain.client.setBalance({ address: payer.address, value: 10n ** 18n });
  await registry.chain.client.setAutomine(false);
  const { address: registryAddress } = registry;
  await writeSigned(`${directory}/delegation.json`, authority, {
    ...{ chainId: 31_337, registryAddress, authorityAddress: authority.address },
    ...{ delegateAddress: signerAddress, nonce: 0, deadline: 4_000_000_000 },
  });
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await provider.stop();
  await registry.stop();
});

/** Submits the delegation, and calls `onWait` while it waits. */
async function submit(onWait: () => Promise<void>) {
  const chain = { ...registry.chain, rpcUrl: provider.url };
  const deployment = new DeploymentOnAnvil({ address: registry.address, chain });
  deployment.onWait = onWait;
  const argv = ['delegation', 'submit', `${directory}/delegation.json`, '--key-file', `${directory}/key`];
  return (await run(deployment, ...argv)).exitCode;
}

const mine = async () => void (await registry.chain.client.mine({ blocks: 1 }));
const wait = async () => {};
const sentCount = () => registry.chain.client.getTransactionCount({ address: payer.address });
const delegateNow = async () => (await registry.view.delegations([authority.address]))[0];

const answerLost: RpcRule = { methods: ['eth_sendRawTransaction'], fault: { kind: 'answer dropped' } };

test.each([
  ['the answer to the send is lost', answerLost],
  ['the transaction is not mined in time', undefined],
])('row 50: a second run sends no second transaction when %s', async (_, rule) => {
  if (rule) provider.addRule(rule);
  expect(await submit(wait)).not.toBe(0);
  expect(await submit(wait)).toBe(1);
  const { transactions } = await registry.chain.client.getBlock({ blockTag: 'pending' });
  expect(transactions).toHaveLength(1);
  expect(await submit(mine)).toBe(0);
  expect([await sentCount(), await delegateNow()]).toEqual([1, signerAddress]);
});

test('row 50: two concurrent runs use the same nonce, and one transaction is mined', async () => {
  expect(await Promise.all([submit(mine), submit(mine)])).toEqual([0, 0]);
  await mine();
  expect([await sentCount(), await delegateNow()]).toEqual([1, signerAddress]);
});
