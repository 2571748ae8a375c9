import { expect, test } from 'vitest';
import {
  authority,
  createdOrganization,
  FakeDeployment,
  otherAuthority,
  run,
  runJson,
} from './fake-deployment.ts';

const uuidv7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test('creates an organisation and prints it as one JSON object', async () => {
  const arguments_ = [
    '--name',
    ' The Paper ',
    '--authority',
    authority.toLowerCase(),
    '--default-chain',
    '31337',
  ];
  const organization = await runJson(new FakeDeployment(), 'org', 'create', ...arguments_);
  expect(organization).toEqual({
    id: expect.stringMatching(uuidv7),
    name: 'The Paper',
    authorityAddress: authority,
    defaultChainId: 31337,
  });
});

test('says that the default chain is unset with null', async () => {
  const deployment = new FakeDeployment();
  const organization = await runJson(deployment, 'org', 'create', '--name', 'N', '--authority', authority);
  expect(organization).toMatchObject({ defaultChainId: null });
});

test('lists the organisations, oldest first', async () => {
  const deployment = new FakeDeployment();
  const first = await createdOrganization(deployment);
  deployment.time = new Date('2026-01-03T00:00:00.000Z');
  const second = await createdOrganization(deployment, otherAuthority);
  const common = { name: 'The Paper', defaultChainId: null };
  expect(await runJson(deployment, 'org', 'list')).toEqual({
    organizations: [
      { ...common, id: first, authorityAddress: authority, createdAt: '2026-01-02T03:04:05.678Z' },
      { ...common, id: second, authorityAddress: otherAuthority, createdAt: '2026-01-03T00:00:00.000Z' },
    ],
  });
});

test('lists in aligned columns for people', async () => {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  const { out } = await run(deployment, 'org', 'list');
  const [headings = '', row = ''] = out.split('\n');
  expect(row.indexOf(id)).toBe(headings.indexOf('ID'));
  expect(row.indexOf(authority)).toBe(headings.indexOf('AUTHORITY'));
  expect(row.indexOf('2026-')).toBe(headings.indexOf('CREATED'));
});

test('lists no organisation as an empty list', async () => {
  expect(await runJson(new FakeDeployment(), 'org', 'list')).toEqual({ organizations: [] });
  expect((await run(new FakeDeployment(), 'org', 'list')).out).toContain('org create makes one');
});

test('refuses an authority that another organisation has', async () => {
  const deployment = new FakeDeployment();
  await createdOrganization(deployment);
  const again = await run(deployment, 'org', 'create', '--name', 'B', '--authority', authority.toLowerCase());
  expect(again).toEqual({
    exitCode: 1,
    out: '',
    error: `admin: an organisation with the authority ${authority} exists already; \`org list\` shows it\n`,
  });
  expect(await runJson(deployment, 'org', 'list')).toMatchObject({ organizations: [{ name: 'The Paper' }] });
});

test('refuses a default chain that is not served, and names those that are', async () => {
  const deployment = new FakeDeployment();
  const result = await run(
    deployment,
    'org',
    'create',
    '--name',
    'N',
    '--authority',
    authority,
    '--default-chain',
    '5',
  );
  expect(result).toEqual({
    exitCode: 1,
    out: '',
    error: 'admin: chain 5 is not served; this deployment serves 31337 (Local)\n',
  });
  expect(deployment.records.all()).toEqual([]);
});

test.each([
  ['malformed', '0x1234', '20-byte hex address'],
  ['not hexadecimal', 'paper.eth', '20-byte hex address'],
  ['zero', `0x${'0'.repeat(40)}`, 'must not be the zero address'],
  ['wrongly checksummed', authority.replace('C51812dc', 'C51812Dc'), 'right EIP-55 checksum'],
])('refuses an authority that is %s', async (_, address, complaint) => {
  const deployment = new FakeDeployment();
  const { exitCode, out, error } = await run(
    deployment,
    'org',
    'create',
    '--name',
    'N',
    '--authority',
    address,
  );
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(error).toMatch(/^admin: .+\n$/);
  expect(error).toContain(complaint);
  expect(deployment.records.all()).toEqual([]);
});

test.each(['', '   ', 'x'.repeat(201)])('refuses the name %j', async (name) => {
  const { exitCode } = await run(
    new FakeDeployment(),
    'org',
    'create',
    '--name',
    name,
    '--authority',
    authority,
  );
  expect(exitCode).toBe(2);
});
