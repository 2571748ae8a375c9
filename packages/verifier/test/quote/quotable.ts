import fc from 'fast-check';
import { sha256 } from 'viem';
import { cidOfDigest } from '../../src/reference/content-cid.ts';
import type { AttestationReference } from '../../src/verifier.ts';

export function referenceTo(text: string): AttestationReference {
  return {
    chainId: 8453,
    registryAddress: '0xd70AD8a3cc1CB3Ec160949589673c9A99e46C708',
    attestationIndex: 1,
    authorityAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    contentCid: cidOfDigest(sha256(new TextEncoder().encode(text))),
  };
}

/** A proof file of the attestation of a text, without the field `storage`. */
export const proofOf = (text: string, fields: object = {}) =>
  JSON.stringify({
    ...{ version: 1, reference: referenceTo(text), content: {} },
    ...{ attested: { time: '2027-01-15T08:00:36Z' }, ...fields },
  });

const character = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...'abcde \n…') },
  { weight: 2, arbitrary: fc.constantFrom('😀', '💩', 'é', '中', '\u200d') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
);

/** A text of whole characters, and pieces of it in their order. */
export interface Quotable {
  readonly text: string;
  readonly pieces: readonly string[];
}

/** Texts of up to 200 characters with one to three pieces, each of one character or more. */
export const quotable: fc.Arbitrary<Quotable> = fc
  .record({
    characters: fc.array(character, { minLength: 1, maxLength: 200, size: 'max' }),
    cuts: fc.array(fc.nat(), { minLength: 2, maxLength: 6 }),
  })
  .map(({ characters, cuts }) => {
    // U+FFFD at the border of a chunk cannot be quoted; another test covers it.
    const usable = characters.map((one) => (one === '\ufffd' ? '?' : one));
    const positions = cuts.map((cut) => cut % (usable.length + 1)).sort((a, b) => a - b);
    const pieces: string[] = [];
    for (let index = 0; index + 1 < positions.length; index += 2)
      pieces.push(usable.slice(positions[index], positions[index + 1]).join(''));
    const present = pieces.filter((piece) => piece !== '');
    return { text: usable.join(''), pieces: present.length > 0 ? present : [usable.join('')] };
  });
