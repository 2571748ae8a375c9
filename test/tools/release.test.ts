import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

function release(...options: string[]) {
  const directory = mkdtempSync(`${tmpdir()}/imprimatur-release-`);
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const { status, stderr } = spawnSync('node', ['tools/release.ts', directory, ...options], {
    encoding: 'utf8',
  });
  const read = (name: string) => readFileSync(`${directory}/${name}`);
  return { status, stderr, names: readdirSync(directory), read };
}

// CHANGELOG.md has no heading of the version until it is released.
test('what may not be released is refused with what to do, and nothing is made', () => {
  const { status, stderr, names } = release();
  expect(status).toBe(1);
  expect(stderr).toContain(`refused: CHANGELOG.md has no heading "## ${version} (date)"`);
  expect(names).toEqual([]);
});

test('nothing is put where something else is', () => {
  const directory = mkdtempSync(`${tmpdir()}/imprimatur-release-`);
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(`${directory}/letter.txt`, 'kept');
  const { status, stderr } = spawnSync('node', ['tools/release.ts', directory, '--draft'], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain(`${directory} holds something else than a release`);
  expect(readdirSync(directory)).toEqual(['letter.txt']);
});

test('a release has the packages, the pages, their sums, and an SBOM of what they are made of', () => {
  const { status, names, read } = release('--draft');
  expect(status).toBe(0);
  const made = [
    'authority.html',
    `imprimatur-${version}.sbom.cdx.json`,
    `imprimatur-client-${version}.tgz`,
    `imprimatur-verifier-${version}.tgz`,
    'reader.html',
  ];
  expect(names.sort()).toEqual(['SHA256SUMS', ...made].sort());
  const sums = made.map((name) => `${createHash('sha256').update(read(name)).digest('hex')}  ${name}\n`);
  expect(String(read('SHA256SUMS')).split('\n').sort()).toEqual(sums.join('').split('\n').sort());
  const { components } = JSON.parse(String(read(`imprimatur-${version}.sbom.cdx.json`)));
  const hashOf = (wanted: string) =>
    components.find(({ name }: { name: string }) => name === wanted)?.hashes[0].alg;
  expect(['viem', 'preact', 'commander', 'swagger-ui-dist', '@aws-sdk/client-kms'].map(hashOf)).toEqual(
    Array(5).fill('SHA-512'),
  );
  expect(hashOf('vitest')).toBeUndefined();
}, 120_000);
