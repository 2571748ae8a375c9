import { afterAll, beforeAll, expect, test } from 'vitest';
import { author, type RegistryFixture, startRegistry } from '../../../../contracts/test/chain/registry.ts';
import { verifyByBoth } from '../both-verifiers.ts';
import { deployPlanted, longAgo } from '../planted-registry.ts';

let registry: RegistryFixture;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const text = 'Never attested by the authority that it is planted for.\n';

test('a registry of known code, whose deployer planted an attestation in its storage, is not believed', async () => {
  const { client } = registry.chain;
  const { planted, reference } = await deployPlanted(registry, text);
  const code = await client.getCode({ address: registry.address });
  expect(await client.getCode({ address: planted.address })).toBe(code);
  expect((await planted.view.attestations([1n])).slice(3, 5)).toEqual([author, BigInt(longAgo)]);
  const verdict = await verifyByBoth(reference, { providers: [registry.chain.rpcUrl], text });
  expect(verdict).toMatchObject({ outcome: 'unknown', attestation: undefined, record: undefined });
});
