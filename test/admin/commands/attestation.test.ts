import { expect, test } from 'vitest';
import { createOrganization } from '../../../functions/domain/organization/organization.ts';
import { alice, chainId } from '../../fakes/world/world.ts';
import {
  confirmedAttestation,
  failedAttestations,
  urlAndMetadata,
} from '../../functions/domain/attestation/finished-attestations.ts';
import { run, runJson } from './fake-deployment.ts';
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

test('`attestation erase --yes` erases, lists what remains, and writes an audit entry', async () => {
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
      ofFailedAttempts: expect.stringContaining('a transaction with the digest and the quote root'),
      inService: [
        ...['contentCid', 'digest', 'quoteRoot', 'salt', 'transaction hashes', 'times'],
        'transactions of 30 days',
      ],
      backupsUntil: new Date(Date.parse(erasedAt) + 35 * 86_400_000).toISOString(),
    },
  });
  const { out } = await run(made, 'attestation', 'erase', organizationId, id);
  expect(out).toMatch(/^Nothing is left to erase/);
  for (const word of [digest, quoteRoot, authorityAddress, 'permanently', '35 days', 'IPFS'])
    expect(out).toContain(word);
  const { entries } = await runJson(made, 'audit', 'list', organizationId);
  expect(entries).toMatchObject([
    { action: 'attestation erase', by: 'ada@desk', details: { attestationIds: [id] } },
  ]);
});

test('`attestation show` prints row, content and metadata, but no salt', async () => {
  const made = await deployment();
  const long = '\ufeffOne é\r\n😀 '.repeat(100_000).slice(0, 400_000);
  const { id } = await confirmedAttestation(made.world, long);
  const { salt: _, ...row } = await made.world.row({ organizationId, id });
  const metadata = JSON.parse(urlAndMetadata.metadata);
  expect(await runJson(made, 'attestation', 'show', id)).toEqual({ ...row, metadata, content: long });
  await run(made, 'attestation', 'erase', 'The Paper', id, '--yes');
  const shown = await runJson(made, 'attestation', 'show', id);
  const erasedAt = made.now().toISOString();
  expect(shown).toMatchObject({ id, erasedAt, content: null, metadata: null, status: 'confirmed' });
  expect(shown).not.toHaveProperty('url');
});

test('`attestation show` reports content that a later attestation stored again', async () => {
  const made = await deployment();
  const [failed] = await failedAttestations(made.world, text);
  const id = String(failed?.id);
  await run(made, 'attestation', 'erase', organizationId, id, '--yes');
  await failedAttestations(made.world, text);
  const { out } = await run(made, 'attestation', 'show', id);
  expect(out).toContain(`content (stored again by a later attestation of the same content)\n${text}`);
});

test('`attestation erase` without --yes only lists what it would erase, with exit code 3', async () => {
  const made = await deployment();
  const [failed] = await failedAttestations(made.world, text);
  const { id } = await confirmedAttestation(made.world, text);
  const before = made.records.all();
  const { exitCode, out } = await run(made, 'attestation', 'erase', organizationId, id);
  expect(exitCode).toBe(3);
  expect(out).toMatch(/^Nothing was erased\. Pass --yes/);
  for (const listed of [id, String(failed?.id)]) expect(out).toContain(listed);
  expect(made.records.all()).toEqual(before);
  const json = await runJson(made, 'attestation', 'erase', organizationId, id);
  expect(json).toMatchObject({ erased: false, remains: { backupsUntil: null } });
});

test('`attestation show` prints the row without the content if access is denied', async () => {
  const made = await deployment();
  const { id } = await confirmedAttestation(made.world, 'Hidden.');
  const { list } = made.records;
  made.records.list = (range) =>
    range.pk.includes('#baf')
      ? Promise.reject(Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' }))
      : list.call(made.records, range);
  const shown = await runJson(made, 'attestation', 'show', id);
  expect(shown).toMatchObject({ id, metadata: { author: 'A. Writer' }, content: null, contentDenied: true });
  const { out } = await run(made, 'attestation', 'show', id);
  expect(out).toContain('content: access denied');
});

test('`attestation show` prints no salt and no escape sequence', async () => {
  const made = await deployment();
  const metadata = '{"note":"\u009b2J"}';
  const { attestation } = await made.world.create(alice, 'red: \u001b[31m\nback: \u202e', { metadata });
  const { salt } = await made.world.row(attestation);
  const { out } = await run(made, 'attestation', 'show', attestation.id);
  expect(out).toContain('red: \\u{1b}[31m\nback: \\u{202e}');
  expect(out).not.toMatch(/(?!\n)\p{Cc}|\u202e|salt/iu);
  expect(out).not.toContain(salt.slice(2));
});

test('`attestation show` rejects an unknown id', async () => {
  const id = '01890000-0000-7000-8000-000000000000';
  expect(await run(await deployment(), 'attestation', 'show', id)).toEqual({
    exitCode: 1,
    out: '',
    error: `admin: this deployment has no attestation with the ID ${id}\n`,
  });
});
