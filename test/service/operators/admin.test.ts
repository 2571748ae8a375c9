import { expect, test } from 'vitest';
import { adminAs } from '../stack/admin.ts';
import { article, newPublisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';

test("the operators' role runs the commands, and only the custodians' role erases content and creates keys", async () => {
  const { api, organizationId } = await newPublisher();
  const id = String((await api.create({ content: article() })).body.id);
  await api.until(id, ({ status }) => status === 'confirmed');
  const as = (...args: string[]) => adminAs('OperatorsRole', ...args);
  const chain = ['--chain', String(stack.chainId)];
  const [doctor, signers, usage, set, shown, refused] = await Promise.all([
    as('doctor'),
    as('signer', 'list', ...chain),
    as('org', 'show', organizationId),
    as('settings', 'set', ...chain, 'organizationDailyFeeBudget=99'),
    as('attestation', 'show', id),
    as('attestation', 'erase', organizationId, id, '--yes'),
  ]);
  const findings = (doctor.sections as { findings: { check: string; failed?: true }[] }[]).flatMap(
    (section) => section.findings,
  );
  // The emulator has neither versions nor quotas.
  const lacking = /^(versions of|quotas of)/;
  expect(findings.filter(({ check, failed }) => failed && !lacking.test(check))).toEqual([]);
  expect(signers).toMatchObject({ chainId: stack.chainId });
  expect(usage).toMatchObject({ id: organizationId });
  expect(set).toMatchObject({ inForce: { organizationDailyFeeBudget: 99 } });
  expect(shown).toMatchObject({ id, status: 'confirmed' });
  expect(refused).toEqual({ error: expect.stringMatching(/not authorized to perform: dynamodb:DeleteItem/) });
  await as('settings', 'set', ...chain, 'organizationDailyFeeBudget=default');
  // Refused until the transactions of earlier test files are final.
  await expect.poll(() => as('lane', 'resync', ...chain)).toMatchObject({ lane: expect.any(String) });
  const rotation = await as('signer', 'rotate', ...chain);
  expect(rotation).toEqual({ error: expect.stringMatching(/not authorized to perform: kms:/) });
  const issued = await adminAs('CustodiansRole', 'key', 'create', '--org', organizationId);
  expect(issued).toMatchObject({ key: expect.stringMatching(/^imp_live_/) });
  const erased = await adminAs('CustodiansRole', 'attestation', 'erase', organizationId, id, '--yes');
  expect(erased).toMatchObject({ erased: true });
});
