import { secp256k1 } from '@noble/curves/secp256k1';
import { type Hex, keccak256, numberToHex, parseSignature } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, test, vi } from 'vitest';
import { ethereumSignature } from '../../../../functions/adapters/aws/kms-signer.ts';
import { derOf } from '../../../fakes/ports/der.ts';
import { cases, soakTimeout } from '../../../fakes/world/soak.ts';

vi.setConfig({ testTimeout: soakTimeout });

const { n: order } = secp256k1.CURVE;
const privateKey: Hex = `0x${'5e'.repeat(32)}`;
const address = privateKeyToAddress(privateKey);
const digestOf = (count: number): Hex => keccak256(numberToHex(count));

const count = cases(1000, 10_000);

test(`becomes one with a low s that recovers to the address: ${count} of them, high s, short parts, both parities`, () => {
  const seen = { highS: 0, shortR: 0, shortS: 0, odd: 0, even: 0 };
  for (let one = 0; one < count; one++) {
    const signed = secp256k1.sign(digestOf(one).slice(2), privateKey.slice(2), { lowS: false });
    const signature = ethereumSignature(derOf(signed), digestOf(one), address);
    const { s, yParity } = parseSignature(signature);
    const isHigh = signed.s > order / 2n;
    // What the signer knew of its point, turned round when s was: no second recovery is needed to check it.
    const expectedParity = isHigh ? 1 - signed.recovery : signed.recovery;
    expect([BigInt(s), yParity]).toEqual([isHigh ? order - signed.s : signed.s, expectedParity]);
    seen.highS += Number(isHigh);
    seen.shortR += Number(signed.r < 1n << 248n);
    seen.shortS += Number(signed.s < 1n << 248n);
    seen[yParity ? 'odd' : 'even']++;
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
