import { type Address, encodeFunctionData, keccak256, size } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import type { Call, Chain } from '../../../../functions/domain/chain.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { RpcProxy } from '../../../../test/fakes/rpc/rpc-proxy.ts';
import { attestationRegistryAbi as abi } from '../../../artifacts/attestation-registry-abi.ts';
import { attest, draft, hash as word } from '../attest.ts';
import { sendMined } from '../chain.ts';
import { executeCalldata, operator } from '../forwarder.ts';
import { author, other, platform, stranger } from '../registry.ts';
import { registry } from '../use-registry.ts';
import { forwarder, serviceChain, useServiceChain } from './chain.ts';

let proxy: RpcProxy;
let chain: Chain;

useServiceChain();
beforeAll(async () => {
  proxy = await RpcProxy.start(registry.chain.rpcUrl);
  chain = serviceChain(proxy.url, registry.address);
  const data = executeCalldata([commitFrom(forwarder, 0).data]);
  await sendMined(registry.chain, { account: operator, to: forwarder, data });
  return () => proxy.stop();
});

const contentOf = (n: number, authorityAddress: Address) => ({
  ...{ registryAddress: registry.address, digest: word(n), authorityAddress },
});

const commitFrom = (from: Address, n: number): Call => ({
  ...{ from, to: registry.address },
  data: encodeFunctionData({ abi, functionName: 'commit', args: [word(n)] }),
});

const repeated = 'the registry refused: commit repeated';

/** Number of calls that the node runs while the promise is awaited. */
async function callsDuring(operation: Promise<unknown>): Promise<number> {
  const before = proxy.counts.get('eth_call') ?? 0;
  await operation;
  return (proxy.counts.get('eth_call') ?? 0) - before;
}

test("`FinalView` returns the hash of the registry's code", async () => {
  const code = (await registry.chain.client.getCode({ address: registry.address })) ?? '0x';
  expect(size(code)).toBeGreaterThan(1000);
  expect(await chain.atFinal((view) => view.codeHash(registry.address))).toBe(keccak256(code));
  expect(await chain.atFinal((view) => view.codeHash(other))).toBeUndefined();
});

test('`registryStates` reads 96 contents of as many authorities in one call of the node', async () => {
  await attest(registry, draft(author, { digest: word(7) }));
  await registry.mine(other, 'delegate', [platform]);
  const nobody = Array.from(
    { length: 93 },
    (_, position): Address => `0x${String(position).padStart(40, '1')}`,
  );
  const queries = [author, other, stranger, ...nobody].map((authority) => contentOf(7, authority));
  const calls = await callsDuring(
    chain.atFinal(async (view) => {
      const states = await view.registryStates(queries);
      expect(states).toHaveLength(96);
      expect(states[0]).toMatchObject({ attestationIndex: 1 });
      expect(states[1]).toEqual({ attestationIndex: 0, delegateAddress: platform });
    }),
  );
  expect(calls).toBe(1);
  const apart = await chain.atFinal((view) => Promise.all(queries.map((query) => view.registryState(query))));
  expect(await chain.atFinal((view) => view.registryStates(queries))).toEqual(apart);
});

test('`registryStates` throws without a registry', async () => {
  const nowhere = { ...contentOf(7, author), registryAddress: stranger };
  await expect(chain.atFinal((view) => view.registryStates([nowhere]))).rejects.toThrow(
    ChainUnreachableError,
  );
});

test.each<[string, () => Address, number]>([
  ['for a forwarder in one call of the node', () => operator.address, 1],
  ['one by one if the key is not an operator of the forwarder', () => stranger, 1 + 96],
])('`revertReasons` returns reasons %s', async (_, signer, expected) => {
  const calls = Array.from({ length: 96 }, (_, n) => commitFrom(forwarder, n));
  const count = await callsDuring(
    chain.atFinal(async (view) => {
      const reasons = await view.revertReasons(calls, signer());
      expect(reasons).toEqual([repeated, ...Array.from({ length: 95 }, () => undefined)]);
    }),
  );
  expect(count).toBe(expected);
});

test('`revertReasons` returns reasons for calls by the key, with one call each', async () => {
  await registry.mine(platform, 'commit', [word(3)]);
  const calls = [commitFrom(platform, 3), commitFrom(platform, 4)];
  expect(await chain.atFinal((view) => view.revertReasons(calls, platform))).toEqual([repeated, undefined]);
});
