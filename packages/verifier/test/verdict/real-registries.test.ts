import { expect, test } from 'vitest';
import { author, other, RegistryFixture } from '../../../../contracts/test/chain/registry.ts';
import { registry, useRegistry } from '../../../../contracts/test/chain/use-registry.ts';
import type { AttestationReference, Verdict } from '../../src/verifier.ts';
import { attestArticle, correct } from '../attested-article.ts';
import { verifyByBoth } from '../both-verifiers.ts';

useRegistry();

const judge = (reference: AttestationReference, text?: string): Promise<Verdict> =>
  verifyByBoth(reference, { providers: [registry.chain.rpcUrl], text });

/** Deploys a registry with another delay than that of the published one. */
const otherRegistry = (revealDelaySeconds: number) =>
  RegistryFixture.deploy(registry.chain, revealDelaySeconds);

test('`verify` finds corrections only in other registries that it knows', async () => {
  const old = await otherRegistry(59);
  const { reference: parent } = await attestArticle(old, author, 'In an old registry.');
  const renewed = await otherRegistry(58);
  const { reference: child } = await attestArticle(renewed, author, 'Corrected in a new one.');
  // The indices are the same, so only the registries distinguish the two attestations.
  expect(child.attestationIndex).toBe(parent.attestationIndex);
  await correct(old, parent, 'Corrected in a new one.');
  const providers = [registry.chain.rpcUrl];
  const withOthers = (...otherRegistries: string[]) => verifyByBoth(parent, { providers, otherRegistries });
  expect(await withOthers()).toMatchObject({ corrections: { followed: [], end: 'missing' } });
  expect(await withOthers(other, renewed.address)).toMatchObject({
    outcome: 'superseded',
    corrections: {
      followed: [{ registryAddress: child.registryAddress, attestationIndex: child.attestationIndex }],
      end: 'newest',
      unknownRegistries: [other],
    },
  });
  const forged = '0x00000000000000000000000000000000000c0de6';
  const code = await registry.chain.client.getCode({ address: registry.address });
  await registry.chain.client.setCode({ address: forged, bytecode: `${code ?? '0x'}00` });
  await attestArticle(new RegistryFixture(registry.chain, forged), author, 'Corrected in a new one.');
  expect(await withOthers(forged)).toMatchObject({ corrections: { followed: [], end: 'missing' } });
  // Also without a correction, unknown registries are reported, such as the public deployment of other chains.
  const elsewhere = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
  const verdict = await verifyByBoth(child, {
    providers,
    otherRegistries: [other, elsewhere, other.toLowerCase(), renewed.address, registry.address],
  });
  expect(verdict).toMatchObject({
    outcome: 'verified',
    corrections: { end: 'newest', unknownRegistries: [other, elsewhere] },
  });
  expect(verdict.notices).toContain(
    `${other} is not a known registry, so it was not searched for corrections.`,
  );
});

test('`verify` reads the published registry only if it looks for a correction', async () => {
  const old = await otherRegistry(57);
  const { reference: parent } = await attestArticle(old, author, 'In an older registry.');
  const requestedCodes = ({ asked }: Verdict) =>
    asked.filter(({ method }) => method === 'eth_getCode').map(({ params: [address] }) => address);
  expect(requestedCodes(await judge(parent))).toEqual([old.address]);
  const { reference: child } = await attestArticle(registry, author, 'Corrected in the published one.');
  await correct(old, parent, 'Corrected in the published one.');
  expect(await judge(parent)).toMatchObject({
    outcome: 'superseded',
    corrections: {
      followed: [{ contentCid: child.contentCid, registryAddress: registry.address }],
      end: 'newest',
    },
  });
  // The correction of the correction is in the old registry.
  await correct(registry, child, 'In an older registry.');
  expect(await judge(parent)).toMatchObject({
    corrections: { followed: [{ contentCid: child.contentCid }], end: 'loop' },
  });
});

test('`verify` reports a shorter reveal delay than in production', async () => {
  const quick = await otherRegistry(2);
  const { reference, text } = await attestArticle(quick, author, 'Quickly revealed.');
  const verdict = await judge(reference, text);
  expect(verdict).toMatchObject({ outcome: 'verified', registry: { revealDelaySeconds: 2 } });
  expect(verdict.notices).toContainEqual(expect.stringContaining('2 seconds after its commit'));
});
