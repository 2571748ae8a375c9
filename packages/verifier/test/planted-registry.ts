import { concat, encodeAbiParameters, type Hex, keccak256, pad, size, toHex } from 'viem';
import { author, RegistryFixture, stranger } from '../../../contracts/test/chain/registry.ts';
import type { AttestationReference } from '../src/verifier.ts';
import { cidOf } from './attested-article.ts';

/** When the planted attestation claims to have been revealed. */
export const longAgo = 1_500_000_000;

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
export async function deployPlanted(registry: RegistryFixture, text: string) {
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
