import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';

/** Audits where npm answers this. */
function audit(answer: object, ...options: string[]) {
  const directory = mkdtempSync(`${tmpdir()}/imprimatur-audit-`);
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(`${directory}/npm`, `#!/bin/sh\nprintf '%s' '${JSON.stringify(answer)}'\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${directory}:${process.env.PATH}` };
  const { status, stdout } = spawnSync('node', ['tools/audit-dependencies.ts', ...options], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout };
}

const report = (severity: string) => ({
  metadata: { vulnerabilities: { [severity]: 1 } },
  vulnerabilities: { leftpad: { severity, range: '<1.3.0' } },
});

test.each(['high', 'critical'])('a vulnerability that is %s fails the audit, by its name', (severity) => {
  expect(audit(report(severity))).toEqual({
    status: 1,
    stdout: `leftpad <1.3.0: ${severity}\n1 grave vulnerabilities known\n`,
  });
});

test('a lesser one passes', () => {
  expect(audit(report('moderate'))).toEqual({ status: 0, stdout: '0 grave vulnerabilities known\n' });
});

test.each([404, 405, 501, undefined])(
  'a registry that audits nothing (%s) or nobody reaches: not made',
  (statusCode) => {
    const answer = { message: 'no audit', statusCode };
    expect(audit(answer)).toEqual({ status: 3, stdout: 'NOT AUDITED: no audit\n' });
  },
);

test('what must be asked fails where it cannot be', () => {
  expect(audit({ message: 'no audit', statusCode: 405 }, '--required')).toMatchObject({ status: 1 });
});

test.each([401, 429, 500, 503])(
  'a registry that answers with an error (%s) fails the audit',
  (statusCode) => {
    expect(audit({ message: 'not now', statusCode })).toEqual({
      status: 1,
      stdout: 'NOT AUDITED: not now\n',
    });
  },
);

test('an answer of another form fails the audit', () => {
  expect(audit({ advisories: {} })).toMatchObject({ status: 1 });
});
