import { expect, test } from 'vitest';
import { createOrganization } from '../../../functions/domain/organization/organization.ts';
import { alice, chainId } from '../../fakes/world/world.ts';
import {
  confirmedAttestation,
  failedAttestations,
  told,
} from '../../functions/domain/attestation/finished-attestations.ts';
import { run, runJson } from './fake-deployment.ts';
import { WorldDeployment } from './world-deployment.ts';

const { organizationId, authorityAddress } = alice;
const text = 'An article of a person.';

async function deployment(): Promise<WorldDeployment> {
  const made = new WorldDeployment();
  const createdAt = made.now().toISOString();
  const organization = {
    id: organizationId,
    name: 'The Paper',
    authorityAddress,
    defaultChainId: null,
    createdAt,
  };
  await createOrganization(made.records, organization);
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

test('tells plainly what cannot be erased', async () => {
  const made = await deployment();
  const { id } = await confirmedAttestation(made.world, text);
  const { digest, quoteRoot } = await made.world.row({ organizationId, id });
  const { out } = await run(made, 'attestation', 'erase', organizationId, id, '--yes');
  expect(out).toMatch(/^Erased: /);
  for (const word of [
    digest,
    quoteRoot,
    authorityAddress,
    'for good',
    'digest and quote root in a transaction',
    '35 days',
    'IPFS',
  ]) {
    expect(out).toContain(word);
  }
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

test('says nothing of a chain where every attempt failed', async () => {
  const made = await deployment();
  const [failed] = await failedAttestations(made.world, text);
  const json = await runJson(made, 'attestation', 'erase', organizationId, String(failed?.id), '--yes');
  expect(json).toMatchObject({ erased: true, remains: { onChain: [] } });
});

test('does nothing the second time, and keeps the first time', async () => {
  const made = await deployment();
  const { id } = await confirmedAttestation(made.world, text);
  const first = await runJson(made, 'attestation', 'erase', organizationId, id, '--yes');
  made.world.mine();
  const before = made.records.all();
  expect(await runJson(made, 'attestation', 'erase', organizationId, id, '--yes')).toEqual(first);
  expect(made.records.all()).toEqual(before);
  const { out } = await run(made, 'attestation', 'erase', organizationId, id);
  expect(out).toMatch(/^Nothing is left to erase/);
});

test('refuses what is under way, and says when to come again', async () => {
  const made = await deployment();
  const { attestation } = await made.world.create(alice, text, told);
  const { exitCode, error } = await run(
    made,
    'attestation',
    'erase',
    organizationId,
    attestation.id,
    '--yes',
  );
  expect(exitCode).toBe(1);
  expect(error).toMatch(/still pending on chain 31337; nothing was erased\. Run the same command again when/);
});

test("refuses another organisation's attestation", async () => {
  const made = await deployment();
  const id = '01890000-0000-7000-8000-000000000000';
  const { exitCode, error } = await run(made, 'attestation', 'erase', organizationId, id, '--yes');
  expect(exitCode).toBe(1);
  expect(error).toContain(`has no attestation with the id ${id}`);
});
