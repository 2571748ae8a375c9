import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CidUnsupportedError } from '../../verifier/content-digest.ts';
import { ChainUnreachableError } from '../../verifier/read-evidence.ts';
import { type AttestationClaim, type Check, verifyAttestation } from '../../verifier/verify.ts';
import { author, other, type RegistryFixture, startRegistry, stranger } from '../contracts/registry.ts';
import { article, attestArticle, contentCid } from './attested-article.ts';

let registry: RegistryFixture;
let claim: AttestationClaim;
let otherCid: string;
beforeAll(async () => {
  registry = await startRegistry();
  await attestArticle(registry, author, 'Something before it.');
  claim = await attestArticle(registry, author, article);
  await attestArticle(registry, other, article);
  otherCid = await contentCid('Never attested.');
});
afterAll(() => registry.stop());

const verify = (altered: Partial<AttestationClaim> = {}) =>
  verifyAttestation(registry.chain.client, { ...claim, ...altered });

/** The names of the checks that fail once the claim is altered. */
async function failures(altered: Partial<AttestationClaim>): Promise<Check['name'][]> {
  const { verified, checks } = await verify(altered);
  const failed = checks.filter(({ passed }) => !passed).map(({ name }) => name);
  expect(verified).toBe(failed.length === 0);
  return failed;
}

test('accepts a true claim, each check by name', async () => {
  const { verified, checks, attestation } = await verify();
  expect(verified).toBe(true);
  const names = ['chain', 'registry', 'content', 'authority', 'index', 'standing', 'text', 'quotes'];
  expect(checks.map(({ name, passed }) => [name, passed])).toEqual(names.map((name) => [name, true]));
  const record = await registry.view.attestations([BigInt(claim.attestationIndex)]);
  expect(attestation).toMatchObject({ authorityAddress: author, timestamp: record[4], revokedAt: 0n });
});

test('accepts a true claim without its text, and then says nothing of the text', async () => {
  const { verified, checks } = await verify({ text: undefined });
  expect(verified).toBe(true);
  expect(checks.map(({ name }) => name)).not.toContain('text');
});

test('rejects another chain', async () => {
  expect(await failures({ chainId: 1 })).toEqual(['chain']);
});

test('rejects a registry address without code', async () => {
  const failed = await failures({ registryAddress: stranger });
  expect(failed).toEqual(['registry', 'content', 'authority', 'index', 'standing', 'quotes']);
});

test.each([
  ['reverts', '0x5f5ffd'],
  ['answers nothing', '0x00'],
  ['answers zeros', '0x60e05ff3'],
] as const)('rejects a contract that %s', async (_, bytecode) => {
  const registryAddress = '0x00000000000000000000000000000000000c0de5';
  await registry.chain.client.setCode({ address: registryAddress, bytecode });
  const failed = await failures({ registryAddress });
  expect(failed).toEqual(['content', 'authority', 'index', 'standing', 'quotes']);
});

test('rejects the CID of another content', async () => {
  expect(await failures({ contentCid: otherCid, text: undefined })).toEqual(['content', 'index']);
  expect(await failures({ contentCid: otherCid })).toEqual(['content', 'index', 'text']);
});

test('rejects an authority that has not attested the content', async () => {
  expect(await failures({ authorityAddress: stranger })).toEqual(['authority', 'index']);
});

test('rejects another authority of the same content at this index', async () => {
  expect(await failures({ authorityAddress: other })).toEqual(['authority', 'index']);
});

test.each([
  { offset: -1, failed: ['content', 'index', 'quotes'] },
  { offset: 1, failed: ['authority', 'index'] },
  { offset: 99, failed: ['content', 'authority', 'index', 'standing', 'quotes'] },
])('rejects an index that is off by $offset', async ({ offset, failed }) => {
  expect(await failures({ attestationIndex: claim.attestationIndex + offset })).toEqual(failed);
});

test.each([
  ['a character more', `${article} `],
  ['a character less', article.slice(0, -1)],
  ['another normal form of line ends', article.replace('\n', '\r\n')],
  ['another emoji', article.replace('😀', '💩')],
  ['nothing', ''],
])('rejects a text with %s', async (_, text) => {
  expect(await failures({ text })).toEqual(['text', 'quotes']);
});

test('rejects an ill-formed text that would be hashed like the attested one', async () => {
  const attested = await attestArticle(registry, author, 'what was meant: \ufffd');
  expect(await failures({ ...attested, text: 'what was meant: \ud800' })).toContain('text');
});

test('rejects a quote root that is not the text’s', async () => {
  const text = 'Its quote root is of something else.';
  const forged = await attestArticle(registry, author, text, 'something else');
  expect(await failures(forged)).toEqual(['quotes']);
});

test('rejects a revoked attestation', async () => {
  const revoked = await attestArticle(registry, author, 'Soon regretted.');
  await registry.mine(author, 'revokeAttestation', [BigInt(revoked.attestationIndex)]);
  expect(await failures(revoked)).toEqual(['standing']);
});

test.each(['hello', 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o'])(
  'refuses %s, which is no CID of an attestation',
  async (cid) => {
    await expect(verify({ contentCid: cid })).rejects.toThrow(CidUnsupportedError);
  },
);

test('says that nothing can be said when the chain cannot be reached', async () => {
  const client = createPublicClient({ transport: http('http://127.0.0.1:1', { retryCount: 0 }) });
  await expect(verifyAttestation(client, claim)).rejects.toThrow(ChainUnreachableError);
});
