import { concat, encodeAbiParameters, type Hex, keccak256, pad, sha256, size, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cidOfDigest } from '../../../verifier/reference/content-cid.ts';
import { verify } from '../../../verifier/verifier.ts';
import { author, RegistryFixture, startRegistry, stranger } from '../../contracts/registry.ts';

let registry: RegistryFixture;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const text = 'Never attested by the authority that it is planted for.\n';
const digest = sha256(new TextEncoder().encode(text));
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

test('a registry of known code, whose deployer planted an attestation in its storage, is not believed', async () => {
  const { client } = registry.chain;
  const code = await client.getCode({ address: registry.address });
  const entry = mapped(pad(toHex(1)), attestations);
  const data = planting(code ?? '0x', [
    [mapped(digest, firsts), origin(1)],
    [entry, digest],
    [pad(toHex(lastId)), pad(toHex(1))],
  ]);
  // Anyone deploys it; the authority signs nothing.
  const hash = await client.sendTransaction({ account: stranger, data, gas: 10_000_000n });
  const { contractAddress, status } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress || status !== 'success') throw new Error('it was not deployed');
  const reference = {
    chainId: 31_337,
    registryAddress: contractAddress,
    attestationIndex: 1,
    authorityAddress: author,
    contentCid: cidOfDigest(digest),
  };
  expect(await client.getCode({ address: contractAddress })).toBe(code);
  const planted = new RegistryFixture(registry.chain, contractAddress);
  expect((await planted.view.attestations([1n])).slice(3, 5)).toEqual([author, BigInt(longAgo)]);
  const verdict = await verify(reference, { providers: [registry.chain.rpcUrl], text });
  expect(verdict).toMatchObject({ outcome: 'unknown', attestation: undefined, record: undefined });
});
