import { deployRegistry } from 'imprimatur-contracts/deploy/deploy-registry';
import { concat, encodeAbiParameters, type Hex, keccak256, pad, size, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  author,
  other,
  RegistryFixture,
  startRegistry,
  stranger,
} from '../../../../contracts/test/chain/registry.ts';
import type { AttestationReference, Verdict } from '../../src/verifier.ts';
import { attestArticle, cidOf } from '../attested-article.ts';
import { verifyByBoth } from '../both-verifiers.ts';

let registry: RegistryFixture;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const judged = (reference: AttestationReference, text?: string): Promise<Verdict> =>
  verifyByBoth(reference, { providers: [registry.chain.rpcUrl], text });

const childOf = async (reference: AttestationReference, text: string) => {
  const { digest } = await cidOf(text);
  await registry.mine(author, 'setChildIpfsHash', [BigInt(reference.attestationIndex), digest]);
};

/** Deploys a registry with another delay than that of the published one. */
async function otherRegistry(revealDelaySeconds: number): Promise<RegistryFixture> {
  const { client } = registry.chain;
  const clients = { publicClient: client, walletClient: client };
  const address = await deployRegistry({ ...clients, revealDelaySeconds });
  return new RegistryFixture(registry.chain, address);
}

test('a correction in another registry is found where that is listed and known', async () => {
  const old = await otherRegistry(59);
  const { reference: parent } = await attestArticle(old, author, 'In an old registry.');
  const renewed = await otherRegistry(58);
  const { reference: child } = await attestArticle(renewed, author, 'Corrected in a new one.');
  // The indices are the same: only with its registry is one the place of an attestation.
  expect(child.attestationIndex).toBe(parent.attestationIndex);
  const { digest } = await cidOf('Corrected in a new one.');
  await old.mine(author, 'setChildIpfsHash', [BigInt(parent.attestationIndex), digest]);
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
  // Told as well where nothing had to be looked for, and of the public deployment, which is on other chains.
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
    `At ${other} is no registry that is known here: no correction was looked for there.`,
  );
});

test('a correction in the published registry is found without naming it, and asked for only then', async () => {
  const old = await otherRegistry(57);
  const { reference: parent } = await attestArticle(old, author, 'In an older registry.');
  const codesAsked = ({ asked }: Verdict) =>
    asked.filter(({ method }) => method === 'eth_getCode').map(({ params: [address] }) => address);
  expect(codesAsked(await judged(parent))).toEqual([old.address]);
  const { reference: child } = await attestArticle(registry, author, 'Corrected in the published one.');
  const { digest } = await cidOf('Corrected in the published one.');
  await old.mine(author, 'setChildIpfsHash', [BigInt(parent.attestationIndex), digest]);
  expect(await judged(parent)).toMatchObject({
    outcome: 'superseded',
    corrections: {
      followed: [{ contentCid: child.contentCid, registryAddress: registry.address }],
      end: 'newest',
    },
  });
  // And back into the old one.
  await childOf(child, 'In an older registry.');
  expect(await judged(parent)).toMatchObject({
    corrections: { followed: [{ contentCid: child.contentCid }], end: 'loop' },
  });
});

test('a registry with a shorter delay than that of production is believed, and the delay is told', async () => {
  const quick = await otherRegistry(2);
  const { reference, text } = await attestArticle(quick, author, 'Quickly revealed.');
  const verdict = await judged(reference, text);
  expect(verdict).toMatchObject({ outcome: 'verified', registry: { revealDelaySeconds: 2 } });
  expect(verdict.notices).toContainEqual(expect.stringContaining('2 seconds after its commit'));
});

/** When the planted attestation claims to have been revealed. */
const longAgo = 1_500_000_000;

/** Slots of AttestationRegistry 2: `_firsts`, `_attestations`, `_lastAttestationId`. */
const [firsts, attestations, lastId] = [3, 6, 8];
const mapped = (key: Hex, slot: number): Hex =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [key, BigInt(slot)]));
const origin = (index: number): Hex =>
  toHex((BigInt(index) << 208n) | (BigInt(longAgo) << 160n) | BigInt(author), { size: 32 });

/** Init code that stores these words and leaves this code: what a constructor did is not in the code that it leaves. */
function planting(code: Hex, words: readonly (readonly [slot: Hex, value: Hex])[]): Hex {
  const stores = words.map(([slot, value]) => concat(['0x7f', value, '0x7f', slot, '0x55']));
  const length = toHex(size(code), { size: 2 });
  const start = words.length * 67 + 13;
  const copy = concat([
    '0x61',
    length,
    '0x61',
    toHex(start, { size: 2 }),
    '0x5f39',
    '0x61',
    length,
    '0x5ff3',
  ]);
  return concat([...stores, copy, code]);
}

/** Anyone deploys it, with the code of this registry and an attestation by `author`, who signs nothing. */
async function deployPlanted(registry: RegistryFixture, text: string) {
  const { client } = registry.chain;
  const code = await client.getCode({ address: registry.address });
  const { cid, digest } = await cidOf(text);
  const entry = mapped(pad(toHex(1)), attestations);
  const data = planting(code ?? '0x', [
    [mapped(digest, firsts), origin(1)],
    [entry, digest],
    [pad(toHex(lastId)), pad(toHex(1))],
  ]);
  const hash = await client.sendTransaction({ account: stranger, data, gas: 10_000_000n });
  const { contractAddress, status } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress || status !== 'success') throw new Error('it was not deployed');
  const reference: AttestationReference = {
    chainId: 31_337,
    registryAddress: contractAddress,
    attestationIndex: 1,
    authorityAddress: author,
    contentCid: cid,
  };
  return { planted: new RegistryFixture(registry.chain, contractAddress), reference };
}

test('a registry of known code, whose deployer planted an attestation in its storage, is not believed', async () => {
  const text = 'Never attested by the authority that it is planted for.\n';
  const { planted, reference } = await deployPlanted(registry, text);
  const { client } = registry.chain;
  const code = await client.getCode({ address: registry.address });
  expect(await client.getCode({ address: planted.address })).toBe(code);
  expect((await planted.view.attestations([1n])).slice(3, 5)).toEqual([author, BigInt(longAgo)]);
  expect(await judged(reference, text)).toMatchObject({
    ...{ outcome: 'unknown', attestation: undefined, record: undefined },
    reason: expect.stringContaining('no registry that is known'),
  });
});
