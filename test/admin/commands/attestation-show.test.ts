import { zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { acceptAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { contentCid, contentDigest } from '../../../functions/domain/attestation/content-cid.ts';
import { newAttestation } from '../../../functions/domain/attestation/new-attestation.ts';
import {
  authority,
  createdOrganization,
  FakeDeployment,
  otherAuthority,
  registryAddress,
  run,
  runJson,
  signerAddress,
} from './fake-deployment.ts';

const salt = `0x${'5a'.repeat(32)}` as const;

async function stored(deployment: FakeDeployment, text: string, metadata?: string) {
  await createdOrganization(deployment, otherAuthority);
  const organizationId = await createdOrganization(deployment);
  const content = parseContent(text);
  const digest = contentDigest(content);
  const identity = {
    organizationId,
    chainId: 31337,
    authorityAddress: authority,
    digest,
    contentCid: contentCid(digest),
  };
  const terms = { registryAddress, delegateAddress: signerAddress };
  const made = newAttestation(identity, terms, {
    text,
    url: 'https://paper.example/a',
    now: deployment.now(),
  });
  const attestation = { ...made, salt };
  await acceptAttestation(deployment.records, {
    attestation,
    contentBytes: content.bytes,
    ...(metadata ? { metadata } : {}),
  });
  return attestation;
}

test('shows the row, the content and the metadata of any organisation', async () => {
  const deployment = new FakeDeployment();
  const text = '\ufeffOne é\r\n😀 '.repeat(100_000).slice(0, 400_000);
  const metadata = { author: { name: 'A' }, tags: [1, 2] };
  const attestation = await stored(deployment, text, JSON.stringify(metadata));
  const { salt: _, ...row } = attestation;
  expect(await runJson(deployment, 'attestation', 'show', attestation.id)).toEqual({
    ...row,
    metadata,
    content: text,
  });
});

test('shows the row to who may not read contents, and says that there is one', async () => {
  const deployment = new FakeDeployment();
  const { id } = await stored(deployment, 'Hidden.', '{"author":"A"}');
  const { list } = deployment.records;
  deployment.records.list = (range) =>
    range.pk.includes('#baf')
      ? Promise.reject(Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' }))
      : list.call(deployment.records, range);
  const shown = await runJson(deployment, 'attestation', 'show', id);
  expect(shown).toMatchObject({ id, metadata: { author: 'A' }, content: null, contentDenied: true });
  const { out } = await run(deployment, 'attestation', 'show', id);
  expect(out).toContain('content: you may not read it; a custodian may');
});

test('takes the id in capitals too, and says null for metadata that was not given', async () => {
  const deployment = new FakeDeployment();
  const { id } = await stored(deployment, 'text');
  const shown = await runJson(deployment, 'attestation', 'show', id.toUpperCase());
  expect(shown).toMatchObject({ id, metadata: null, content: 'text' });
});

test.each([[[]], [['--json']]])('shows neither salt nor task token, with options %j', async (options) => {
  const deployment = new FakeDeployment();
  const { id } = await stored(deployment, 'text');
  const { out } = await run(deployment, 'attestation', 'show', id, ...options);
  expect(out).toContain(id);
  expect(out).not.toMatch(/salt|5a5a5a|token-of/i);
});

test('lets no escape sequence of a publisher reach the terminal', async () => {
  const deployment = new FakeDeployment();
  const { id } = await stored(deployment, 'red: \u001b[31m\nback: \u202e', '{"note":"\u009b2J"}');
  const { out } = await run(deployment, 'attestation', 'show', id);
  expect(out).toContain('red: \\u{1b}[31m\nback: \\u{202e}');
  expect(out).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
});

test('refuses an id that no organisation has', async () => {
  const deployment = new FakeDeployment();
  await stored(deployment, 'text');
  const id = '01890000-0000-7000-8000-000000000000';
  expect(await run(deployment, 'attestation', 'show', id)).toEqual({
    exitCode: 1,
    out: '',
    error: `admin: no organisation of this deployment has an attestation with the id ${id}\n`,
  });
  expect((await run(new FakeDeployment(), 'attestation', 'show', id)).exitCode).toBe(1);
});

test.each(['1', zeroAddress, '01890000-0000-7000-8000-00000000000g'])(
  'refuses the malformed id %s',
  async (id) => {
    expect((await run(new FakeDeployment(), 'attestation', 'show', id)).exitCode).toBe(2);
  },
);
