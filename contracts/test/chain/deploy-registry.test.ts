import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { attestationRegistryAbi as abi } from '../../artifacts/attestation-registry-abi.ts';
import { deployRegistry } from '../../deploy/deploy-registry.ts';
import { create2ProxyAddress } from '../../deploy/deployment.ts';
import { registryAddress } from '../../deploy/registry-deployment.ts';
import { startChain, type TestChain } from './chain.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

/** Everything a test does to the chain is undone before the next one. */
beforeEach(async () => {
  const id = await chain.client.snapshot();
  return () => chain.client.revert({ id });
});

const deploy = (revealDelaySeconds: number) =>
  deployRegistry({ publicClient: chain.client, walletClient: chain.client, revealDelaySeconds });

const sentCount = () => chain.client.getTransactionCount({ address: chain.client.account.address });

test('`deployRegistry` deploys the registry at the computed address', async () => {
  const address = await deploy(7);
  expect(address).toBe(registryAddress(7));
  expect(await chain.client.readContract({ address, abi, functionName: 'revealDelaySeconds' })).toBe(7n);
});

test('`deployRegistry` sends nothing if the registry exists', async () => {
  const address = await deploy(60);
  const before = await sentCount();
  expect(await deploy(60)).toBe(address);
  expect(await sentCount()).toBe(before);
});

test('`deployRegistry` returns the address to each of several concurrent callers', async () => {
  const addresses = await Promise.all([deploy(60), deploy(60)]);
  expect(new Set(addresses)).toEqual(new Set([registryAddress(60)]));
});

test('`deployRegistry` waits for a pending deployment of the same account', async () => {
  await chain.client.setAutomine(false);
  const deployments = Promise.all([deploy(60), deploy(60)]);
  await pause(1000);
  await chain.client.mine({ blocks: 1 });
  await chain.client.setAutomine(true);
  expect(await deployments).toEqual([registryAddress(60), registryAddress(60)]);
});

test('`deployRegistry` refuses a chain without the CREATE2 proxy', async () => {
  await chain.client.setCode({ address: create2ProxyAddress, bytecode: '0x' });
  await expect(deploy(60)).rejects.toThrow('no CREATE2 proxy');
});

test('`deployRegistry` reports a deployment that creates no contract', async () => {
  // A proxy that stops at once: it takes the calldata and creates nothing.
  await chain.client.setCode({ address: create2ProxyAddress, bytecode: '0x00' });
  await expect(deploy(60)).rejects.toThrow('no AttestationRegistry');
});
