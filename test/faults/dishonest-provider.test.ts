import { deployRegistry } from 'imprimatur-contracts/deploy/deploy-registry';
import type { Address } from 'imprimatur-verifier';
import { isAddressEqual } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { author, RegistryFixture, startRegistry } from '../../contracts/test/chain/registry.ts';
import { attestArticle, cidOf } from '../../packages/verifier/test/attested-article.ts';
import { verifyByBoth } from '../../packages/verifier/test/both-verifiers.ts';
import { answeredBy } from '../fakes/rpc/rpc-answers.ts';
import { RpcProxy, type RpcRule } from '../fakes/rpc/rpc-proxy.ts';

let registry: RegistryFixture;
let second: RegistryFixture;
beforeAll(async () => {
  registry = await startRegistry();
  const { client } = registry.chain;
  const address = await deployRegistry({
    publicClient: client,
    walletClient: client,
    revealDelaySeconds: 59,
  });
  second = new RegistryFixture(registry.chain, address);
});
afterAll(() => registry.stop());

/** Rule of a provider that shows one registry as empty, and is honest otherwise. */
function lieAbout(registryAddress: Address): RpcRule {
  return answeredBy(['eth_call'], async ({ method, params = [] }, ask) => {
    const answer = await ask(method, params);
    const [{ to }] = params as [{ to: Address }];
    return isAddressEqual(to, registryAddress) ? String(answer).replace(/[^x]/g, '0') : answer;
  });
}

test('row 52: a provider that lies about one registry cannot decide a verdict if other providers are honest', async () => {
  const { reference, text } = await attestArticle(registry, author, 'Soon corrected.');
  const { digest } = await cidOf('The correction.');
  await attestArticle(second, author, 'The correction.');
  await registry.mine(author, 'setChildIpfsHash', [BigInt(reference.attestationIndex), digest]);
  const honest = registry.chain.rpcUrl;
  const otherRegistries = [second.address];
  const verify = (...providers: string[]) => verifyByBoth(reference, { providers, text, otherRegistries });
  expect(await verify(honest)).toMatchObject({ outcome: 'superseded', corrections: { end: 'newest' } });
  for (const [about, others] of [
    [registry.address, [honest]],
    [second.address, [honest, honest]],
  ] as const) {
    const liar = await RpcProxy.start(honest, [lieAbout(about)]);
    try {
      const verdict = await verify(liar.url, ...others);
      expect(verdict).toMatchObject({ outcome: 'unknown', attestation: undefined, corrections: undefined });
      expect(verdict.reason).toMatch(/^The providers disagree: /);
    } finally {
      await liar.stop();
    }
  }
});
