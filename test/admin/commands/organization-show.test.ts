import { expect, test } from 'vitest';
import { ProvidersUnreachableError } from '../../../admin/terminal/errors.ts';
import {
  authority,
  createdOrganization,
  FakeDesk,
  otherAuthority,
  run,
  runJson,
  signerAddress,
} from './fake-deployment.ts';

test('shows the record, the limits in force, the keys and the delegation on every chain', async () => {
  const desk = new FakeDesk();
  desk.delegates.set(authority, signerAddress);
  const id = await createdOrganization(desk);
  const { id: keyId } = await runJson(desk, 'key', 'create', '--org', id);
  await runJson(desk, 'key', 'create', '--org', id);
  await runJson(desk, 'key', 'revoke', String(keyId));
  await runJson(desk, 'org', 'update', id, '--in-flight', '5');
  expect(await runJson(desk, 'org', 'show', id)).toEqual({
    ...{ id, name: 'The Paper', authorityAddress: authority, defaultChainId: null },
    createdAt: '2026-01-02T03:04:05.678Z',
    limits: {
      attestationsPerDay: { value: 10_000, from: 'settings' },
      inFlight: { value: 5, from: 'organisation' },
    },
    keys: { active: 1, revoked: 1 },
    delegations: [
      {
        ...{ chainId: 31337, name: 'Local', active: true, error: null },
        ...{ delegateAddress: signerAddress, expectedDelegateAddress: signerAddress },
      },
    ],
  });
});

test('says for people where a limit comes from', async () => {
  const desk = new FakeDesk();
  const id = await createdOrganization(desk);
  await runJson(desk, 'org', 'update', id, '--in-flight', '5');
  const { out } = await run(desk, 'org', 'show', id);
  expect(out).toMatch(/^attestations per day +10000 \(the settings' default\)$/m);
  expect(out).toMatch(/^in flight +5 \(for this organisation\)$/m);
  expect(out).toMatch(/^31337 \(Local\) +not active +nobody +0xf39F/m);
});

test('shows the rest when a chain cannot be asked, and why not', async () => {
  const desk = new FakeDesk();
  const id = await createdOrganization(desk);
  desk.chain = () => Promise.reject(new ProvidersUnreachableError(31337, 'check them'));
  const { delegations } = await runJson(desk, 'org', 'show', id);
  const error = 'no RPC provider of chain 31337 answers as that chain; check them';
  expect(delegations).toEqual([expect.objectContaining({ active: null, delegateAddress: null, error })]);
  expect((await run(desk, 'org', 'show', id)).exitCode).toBe(0);
});

test('fails on what is no trouble of the chain', async () => {
  const desk = new FakeDesk();
  const id = await createdOrganization(desk);
  desk.chain = () => Promise.reject(new Error('broken'));
  expect((await run(desk, 'org', 'show', id)).exitCode).toBe(1);
});

test('finds an organisation by its name, and by its id in capitals', async () => {
  const desk = new FakeDesk();
  const id = await createdOrganization(desk);
  for (const text of ['The Paper', id.toUpperCase()]) {
    expect(await runJson(desk, 'org', 'show', text)).toMatchObject({ id });
  }
});

test('refuses a name that two have, and names both ids', async () => {
  const desk = new FakeDesk();
  const ids = [await createdOrganization(desk), await createdOrganization(desk, otherAuthority)];
  const { exitCode, error } = await run(desk, 'org', 'show', 'The Paper');
  expect(exitCode).toBe(1);
  for (const id of ids) expect(error).toContain(id);
});

test.each(['The paper', '01890000-0000-7000-8000-000000000000'])('refuses the unknown %s', async (text) => {
  const desk = new FakeDesk();
  await createdOrganization(desk);
  const { exitCode, error } = await run(desk, 'org', 'show', text);
  expect(exitCode).toBe(1);
  expect(error).toMatch(/^admin: no organisation has the .+; `org list` shows them\n$/);
});
