import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deployRegistry } from '../../deploy/deploy-registry.ts';
import { create2ProxyAddress } from '../../deploy/deployment.ts';
import { registryAddress } from '../../deploy/registry-deployment.ts';
import { chain, useChain } from './use-chain.ts';

useChain();

const deploy = (revealDelaySeconds: number) =>
  deployRegistry({ publicClient: chain.client, walletClient: chain.client, revealDelaySeconds });

test('`deployRegistry` returns the address to each of several concurrent callers', async () => {
  const addresses = await Promise.all([deploy(60), deploy(60)]);
  expect(new Set(addresses)).toEqual(new Set([registryAddress(60)]));
});

test('`deployRegistry` waits for a pending deployment of the same account', async () => {
  await chain.client.setAutomine(false);
  const deployments = Promise.all([deploy(60), deploy(60)]);
  await expect.poll(async () => (await chain.client.getTxpoolStatus()).pending).toBeGreaterThan(0);
  // Gives the second deployment time to send its transaction.
  await pause(1000);
  await chain.client.setAutomine(true);
  await chain.client.mine({ blocks: 1 });
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
