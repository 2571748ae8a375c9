import fc from 'fast-check';
import { getAddress, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { cidOfDigest, digestOfCid } from '../../src/reference/content-cid.ts';
import {
  type AttestationReference,
  formatReference,
  parseReference,
  ReferenceInvalidError,
} from '../../src/verifier.ts';

const registry = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
const authority = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const cid = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
const line = `eip155:8453:${registry}/7/${authority}/${cid}`;
const reference: AttestationReference = {
  chainId: 8453,
  registryAddress: registry,
  attestationIndex: 7,
  authorityAddress: authority,
  contentCid: cid,
};

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(hexOf(bytes)));
const references: fc.Arbitrary<AttestationReference> = fc.record({
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  registryAddress: address,
  attestationIndex: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  authorityAddress: address,
  contentCid: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => cidOfDigest(hexOf(bytes))),
});

test('`parseReference` and `formatReference` convert the documented form', () => {
  expect(parseReference(line)).toEqual(reference);
  expect(formatReference(reference)).toBe(line);
  expect(parseReference(` ${line}\n`)).toEqual(reference);
});

test('`parseReference` parses what `formatReference` returns, with addresses in upper or lower case', () => {
  fc.assert(
    fc.property(references, fc.constantFrom('lower', 'upper', 'checksum'), (any, form) => {
      const inCase = (text: string) =>
        form === 'lower' ? text.toLowerCase() : form === 'upper' ? `0x${text.slice(2).toUpperCase()}` : text;
      const [registryAddress, authorityAddress] = [any.registryAddress, any.authorityAddress].map(inCase);
      const { chainId, attestationIndex, contentCid } = any;
      const text = `eip155:${chainId}:${registryAddress}/${attestationIndex}/${authorityAddress}/${contentCid}`;
      expect(parseReference(text)).toEqual(any);
      expect(parseReference(formatReference(any))).toEqual(any);
    }),
  );
});

test.each([
  ['', 'the reference is empty'],
  ['hello', 'must begin with "eip155:", not "hello"'],
  ['bip122:1:0x/7', 'must begin with "eip155:"'],
  [`eip155:${registry}/7/${authority}/${cid}`, 'must have a chain ID and a registry before its first "/"'],
  [`eip155:8453:${registry}`, "the attestation's index is missing"],
  [`eip155:8453:${registry}/7`, "the authority's address is missing"],
  [`eip155:8453:${registry}/7/${authority}`, "the content's CID is missing"],
  [`${line}/`, 'unexpected text after the CID: ""'],
  [line.replace('8453', '0'), 'the chain ID must be a positive integer below 2^53, not "0"'],
  [line.replace('8453', '9007199254740993'), 'the chain ID must be a positive integer below 2^53'],
  [line.replace('/7/', '/07/'), 'the index must be a positive integer below 2^53, not "07"'],
  [
    line.replace(authority, '0x1234'),
    'the authority must be an address, 0x and 40 hexadecimal digits, not "0x1234"',
  ],
  [line.replace('0x7099', '0x7088'), 'the authority has a wrong checksum'],
  [line.replace('Ce40A', 'Ce40a'), 'the registry has a wrong checksum'],
  [line.replace(/5e$/, '5f'), 'the CID must be a CIDv1 of codec raw and sha2-256'],
  [line.replace(cid, 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o'), 'the CID must be a CIDv1'],
  [line.replace(cid, 'z\u4e2db2rhmy65F3REf8SZp7De11gxtECBGgUKaLdiDj7MCGCHxbDW'), 'the CID must be a CIDv1'],
  [`eip155:${'9'.repeat(500)}:${registry}/7/${authority}/${cid}`, `not "${'9'.repeat(80)}…"`],
])('`parseReference` reports what is wrong with %s', (text, problem) => {
  expect(() => parseReference(text)).toThrow(ReferenceInvalidError);
  expect(() => parseReference(text)).toThrow(problem);
});

test('`parseReference` escapes control characters in its messages', () => {
  const hostile = '\u001b[1m\u009b2J\u202e\u2028verified';
  expect(() => parseReference(line.replace(cid, hostile))).toThrow(
    /, not "\\u001b\[1m\\u\{9b\}2J\\u\{202e\}\\u\{2028\}verified"$/,
  );
});

test('`digestOfCid` rejects a long CID before it decodes it', () => {
  expect(() => digestOfCid(`z${'2'.repeat(101)}`)).toThrow('the CID is malformed');
});
