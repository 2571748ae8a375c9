import { expect, test } from 'vitest';
import { admin } from '../stack/admin.ts';

test('doctor finds no problem in the running stack, and simulates an attestation', async () => {
  const checks = async () => {
    const { exitCode, sections } = await admin('doctor');
    expect(exitCode).toBe(0);
    const all = (sections as { findings: { check: string; state: string }[] }[]).flatMap(
      ({ findings }) => findings,
    );
    expect(all.filter(({ state }) => state === 'problem')).toEqual([]);
    return all.filter(({ state }) => state === 'ok').map(({ check }) => check);
  };
  const expected = ['tables', 'signing key', 'last sweep', 'registry', 'forwarder', 'commit and reveal'];
  // A new stack has its first sweep within two minutes.
  await expect.poll(checks, { interval: 5_000 }).toEqual(expect.arrayContaining(expected));
});
