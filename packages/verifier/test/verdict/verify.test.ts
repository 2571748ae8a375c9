import { beforeAll, expect, test } from 'vitest';
import { author, other, stranger } from '../../../../contracts/test/chain/registry.ts';
import { registry, useRegistry } from '../../../../contracts/test/chain/use-registry.ts';
import { checksOf } from '../../src/command/present.ts';
import {
  type AttestationReference,
  formatReference,
  ReferenceInvalidError,
  type Verdict,
  verify,
} from '../../src/verifier.ts';
import { type AttestedArticle, article, attestArticle, contentCid } from '../attested-article.ts';
import { verifyByBoth } from '../both-verifiers.ts';

let attested: AttestedArticle;
let otherCid: string;
useRegistry();
beforeAll(async () => {
  await attestArticle(registry, author, 'Something before it.');
  attested = await attestArticle(registry, author, article);
  await attestArticle(registry, other, article);
  otherCid = await contentCid('Never attested.');
});

type Changes = Partial<AttestationReference> & { readonly text?: string | Uint8Array | undefined };

function judge({ reference, text }: AttestedArticle, changes: Changes = {}): Promise<Verdict> {
  const usedText = 'text' in changes ? changes.text : text;
  const providers = [registry.chain.rpcUrl];
  return verifyByBoth({ ...reference, ...changes }, { providers, text: usedText });
}

/** The outcome, and the names of the checks that fail. */
async function check(changes: Changes, article = attested): Promise<[string, ...string[]]> {
  const verdict = await judge(article, changes);
  const failed = checksOf(verdict).filter(({ passed }) => !passed);
  return [verdict.outcome, ...failed.map(({ name }) => name)];
}

test('`verify` verifies a valid attestation', async () => {
  const verdict = await judge(attested);
  const names = ['chain', 'registry', 'content', 'authority', 'index', 'standing', 'text', 'quotes'];
  expect(checksOf(verdict).map(({ name, passed }) => [name, passed])).toEqual(
    names.map((name) => [name, true]),
  );
  const record = await registry.view.attestations([BigInt(attested.reference.attestationIndex)]);
  expect(verdict).toMatchObject({
    outcome: 'verified',
    reference: attested.reference,
    attestation: { authorityAddress: author, attestedAt: Number(record[4]), revokedAt: 0 },
    firstAttestedBy: undefined,
    corrections: { followed: [], end: 'newest' },
    text: { isContent: true, differences: [] },
  });
});

test('`verify` accepts a reference in one line, a text as bytes and a request function', async () => {
  const options = { providers: [registry.chain.client], text: new TextEncoder().encode(article) };
  const verdict = await verify(formatReference(attested.reference), options);
  expect(verdict).toMatchObject({ outcome: 'verified', providers: [{ name: 'Test Client' }] });
});

test('`verify` does not find another content', async () => {
  expect(await check({ contentCid: otherCid, text: undefined })).toEqual(['notFound', 'content', 'index']);
  expect(await check({ contentCid: otherCid })).toEqual(['notFound', 'content', 'index', 'text']);
});

test.each([
  ['that has not attested the content', stranger],
  ['that attested the content under another index', other],
])('`verify` does not find an authority %s', async (_, authorityAddress) => {
  expect(await check({ authorityAddress })).toEqual(['notFound', 'authority', 'index']);
});

test.each([
  { offset: -1, failed: ['content', 'index', 'quotes'] },
  { offset: 1, failed: ['authority', 'index'] },
  // This registry reverts above its last entry.
  { offset: 99, failed: ['content', 'authority', 'index', 'standing', 'quotes'] },
])(
  '`verify` does not find an index that is off by $offset, and names the right one',
  async ({ offset, failed }) => {
    const { attestationIndex } = attested.reference;
    const index = attestationIndex + offset;
    expect(await check({ attestationIndex: index })).toEqual(['notFound', ...failed]);
    const { reason } = await judge(attested, { attestationIndex: index });
    expect(reason).toContain(`as attestation ${attestationIndex}, not as attestation ${index}`);
  },
);

test('`verify` does not find a registry without code', async () => {
  const failed = ['registry', 'content', 'authority', 'index', 'standing', 'quotes'];
  expect(await check({ registryAddress: stranger })).toEqual(['notFound', ...failed]);
});

test.each([
  ['an additional character', `${article}.`],
  ['no characters', ''],
  ['bytes that are not UTF-8', Uint8Array.of(0xff, 0xfe, 0xfd)],
])('`verify` returns altered for a text with %s', async (_, text) => {
  expect(await check({ text })).toEqual(['altered', 'text', 'quotes']);
  expect((await judge(attested, { text })).text?.differences).toEqual([]);
});

test('`verify` reports a quote root of another text', async () => {
  const text = 'Its quote root is of something else.';
  const forged = await attestArticle(registry, author, text, 'something else');
  expect(await check({}, forged)).toEqual(['verified', 'quotes']);
  expect((await judge(forged)).notices).toContainEqual(expect.stringContaining('quote root'));
});

test('`verify` returns revoked for an unchanged text', async () => {
  const regretted = await attestArticle(registry, author, 'Soon regretted.');
  await registry.mine(author, 'revokeAttestation', [BigInt(regretted.reference.attestationIndex)]);
  expect(await check({}, regretted)).toEqual(['revoked', 'standing']);
  expect(await check({ text: 'Never regretted.' }, regretted)).toEqual([
    'altered',
    ...['standing', 'text', 'quotes'],
  ]);
});

test('`verify` rejects an invalid CID', async () => {
  await expect(judge(attested, { contentCid: 'hello' })).rejects.toThrow(ReferenceInvalidError);
});
