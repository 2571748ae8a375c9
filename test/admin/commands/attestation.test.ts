import { expect, test } from 'vitest';
import { acceptAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { contentCid, contentDigest } from '../../../functions/domain/attestation/content-cid.ts';
import { newAttestation } from '../../../functions/domain/attestation/new-attestation.ts';
import { createOrganization } from '../../../functions/domain/organization/organization.ts';
import { alice, chainId } from '../../fakes/world/world.ts';
import {
  confirmedAttestation,
  failedAttestations,
  told,
} from '../../functions/domain/attestation/finished-attestations.ts';
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
import { WorldDeployment } from './world-deployment.ts';

const { organizationId, authorityAddress } = alice;
const text = 'An article of a person.';

async function deployment(): Promise<WorldDeployment> {
  const made = new WorldDeployment();
  const createdAt = made.now().toISOString();
  const named = { id: organizationId, name: 'The Paper', authorityAddress };
  await createOrganization(made.records, { ...named, defaultChainId: null, createdAt });
  return made;
}

test('erases on --yes, says what remains, and leaves an entry in the trail', async () => {
  const made = await deployment();
  const { id } = await confirmedAttestation(made.world, text);
  const { digest, quoteRoot, registryAddress, contentCid } = await made.world.row({ organizationId, id });
  const erasedAt = made.now().toISOString();
  expect(await runJson(made, 'attestation', 'erase', organizationId, id, '--yes')).toEqual({
    ...{ organizationId, contentCid, erased: true },
    attestations: [{ id, chainId, status: 'confirmed', erasedAt }],
    remains: {
      onChain: [
        {
          ...{ chainId, registryAddress, authorityAddress, attestationIndex: 7, digest, quoteRoot },
          confirmedAt: '2026-01-01T00:05:00.000Z',
        },
      ],
      ofFailedAttempts: expect.stringContaining('digest and quote root in a transaction'),
      inService: [
        ...['contentCid', 'digest', 'quoteRoot', 'salt', 'transaction hashes', 'times'],
        'transactions of 30 days',
      ],
      backupsUntil: new Date(Date.parse(erasedAt) + 35 * 86_400_000).toISOString(),
    },
  });
  const { out } = await run(made, 'attestation', 'erase', organizationId, id);
  expect(out).toMatch(/^Nothing is left to erase/);
  for (const word of [digest, quoteRoot, authorityAddress, 'for good', '35 days', 'IPFS'])
    expect(out).toContain(word);
  const { entries } = await runJson(made, 'audit', 'list', organizationId);
  expect(entries).toMatchObject([
    { action: 'attestation erase', by: 'ada@desk', details: { attestationIds: [id] } },
  ]);
});

test('is shown by attestation show', async () => {
  const made = await deployment();
  const { id } = await confirmedAttestation(made.world, text);
  expect(await runJson(made, 'attestation', 'show', id)).toMatchObject({
    content: text,
    ...{ ...told, metadata: JSON.parse(told.metadata) },
  });
  await run(made, 'attestation', 'erase', 'The Paper', id, '--yes');
  const shown = await runJson(made, 'attestation', 'show', id);
  const erasedAt = made.now().toISOString();
  expect(shown).toMatchObject({ id, erasedAt, content: null, metadata: null, status: 'confirmed' });
  expect(shown).not.toHaveProperty('url');
});

test('is shown with content that a later attempt stored again', async () => {
  const made = await deployment();
  const [failed] = await failedAttestations(made.world, text);
  const id = String(failed?.id);
  await run(made, 'attestation', 'erase', organizationId, id, '--yes');
  await failedAttestations(made.world, text);
  const { out } = await run(made, 'attestation', 'show', id);
  expect(out).toContain(`content (stored again by a later attestation of it)\n${text}`);
});

test('changes nothing without --yes, lists what it would erase, and ends with exit code 3', async () => {
  const made = await deployment();
  const [failed] = await failedAttestations(made.world, text);
  const { id } = await confirmedAttestation(made.world, text);
  const before = made.records.all();
  const { exitCode, out } = await run(made, 'attestation', 'erase', organizationId, id);
  expect(exitCode).toBe(3);
  expect(out).toMatch(/^Nothing was erased\. With --yes/);
  for (const listed of [id, String(failed?.id)]) expect(out).toContain(listed);
  expect(made.records.all()).toEqual(before);
  const json = await runJson(made, 'attestation', 'erase', organizationId, id);
  expect(json).toMatchObject({ erased: false, remains: { backupsUntil: null } });
});

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

test('lets neither the salt nor an escape sequence of a publisher reach the terminal', async () => {
  const deployment = new FakeDeployment();
  const { id } = await stored(deployment, 'red: \u001b[31m\nback: \u202e', '{"note":"\u009b2J"}');
  const { out } = await run(deployment, 'attestation', 'show', id);
  expect(out).toContain('red: \\u{1b}[31m\nback: \\u{202e}');
  expect(out).not.toMatch(/(?!\n)\p{Cc}|\u202e|salt|5a5a5a/iu);
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
});
