import { getAddress } from 'viem';
import { expect, test } from 'vitest';
import { author, other, platform } from '../../../../contracts/test/chain/registry.ts';
import { registry, useRegistry } from '../../../../contracts/test/chain/use-registry.ts';
import {
  RegistryMissingError,
  readDelegation,
  WrongChainError,
} from '../../src/delegation/read-delegation.ts';

useRegistry();

const read = (registryAddress = registry.address, chainId = 31_337, authorityAddress = author) =>
  readDelegation(registry.chain.client, { chainId, registryAddress, authorityAddress });

/** The chain's node, but with another chain ID. */
const nodeOf = (chainId: number) => ({
  request: async (rpcRequest: never) => {
    const { method }: { method: string } = rpcRequest;
    return method === 'eth_chainId' ? chainId : registry.chain.client.request(rpcRequest);
  },
});

test('`readDelegation` reads delegate, time and nonce', async () => {
  expect(await read()).toMatchObject({ delegateAddress: undefined, since: 0, nonce: 0 });
  const { timestamp } = await registry.mine(author, 'delegate', [platform]);
  expect(await read()).toMatchObject({
    ...{ delegateAddress: platform, since: Number(timestamp), nonce: 1 },
    registry: { version: 'AttestationRegistry 2', codeIsKnown: true },
  });
});

test('`readDelegation` returns no nonce for the public deployment', async () => {
  const address = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
  const bytecode = (await registry.chain.client.getCode({ address: registry.address })) ?? '0x';
  await registry.chain.client.setCode({ address, bytecode });
  const query = { chainId: 1, registryAddress: address, authorityAddress: other } as const;
  expect(await readDelegation(nodeOf(1), query)).toMatchObject({
    ...{ delegateAddress: undefined, nonce: undefined },
    registry: { version: 'the public deployment', codeIsKnown: false },
  });
});

test('`readDelegation` does not call an unknown contract', async () => {
  const address = getAddress(`0x${'00'.repeat(18)}c0de`);
  const bytecode = (await registry.chain.client.getCode({ address: registry.address })) ?? '0x';
  await registry.chain.client.setCode({ address, bytecode });
  expect(await read(address)).toMatchObject({ registry: { version: undefined }, nonce: undefined });
});

test('`readDelegation` rejects a node of another chain', async () => {
  await expect(read(registry.address, 1)).rejects.toThrow('the node serves chain 31337, not 1');
  await expect(read(other, 1)).rejects.toThrow(WrongChainError);
});

test('`readDelegation` rejects an address without a contract', async () => {
  await expect(read(other)).rejects.toThrow(RegistryMissingError);
  await expect(read(other)).rejects.toThrow(`no registry is at ${other} on chain 31337`);
});
