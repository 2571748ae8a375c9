import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';

/** Audits where npm answers this. */
function audit(answer: object) {
  const directory = mkdtempSync(`${tmpdir()}/imprimatur-audit-`);
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(`${directory}/npm`, `#!/bin/sh\nprintf '%s' '${JSON.stringify(answer)}'\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${directory}:${process.env.PATH}` };
  const { status, stdout } = spawnSync('node', ['tools/audit-dependencies.ts'], { env, encoding: 'utf8' });
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

test('where the registry answers no such question, the audit says so', () => {
  const message = '405 Method Not Allowed';
  expect(audit({ message })).toEqual({ status: 0, stdout: `not audited: ${message}\n` });
});
