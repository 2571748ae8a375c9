import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkout } from '../../local/checkout.ts';
import { apiKey, attestation, confirmed, fakeApi, id } from '../../packages/client/test/fake-api.ts';
import { plainNode } from '../../packages/client/test/plain-node.ts';
import { cases, fileOf } from '../../packages/verifier/test/proof/vectors.ts';

const names = ['client', 'verifier', 'cli'] as const;
const { version } = JSON.parse(readFileSync(`${checkout}/package.json`, 'utf8'));
const directory = mkdtempSync(join(tmpdir(), 'packages-'));
const release = join(directory, 'release');
const project = join(directory, 'project');
const archives = names.map((name) => `imprimatur-${name}-${version}.tgz`);

const runRelease = (...args: string[]) =>
  spawnSync('node', ['tools/release.ts', ...args], { cwd: checkout, encoding: 'utf8' });
/** Without the condition by which the checkout takes its packages from their sources. */
const { NODE_OPTIONS: _, ...env } = process.env;
const npm = (...args: string[]) =>
  execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const run = (...args: string[]) => promisify(execFile)(plainNode, args, { cwd: project, env });

/** Another project, with the packages of a release installed from their archives. */
beforeAll(() => {
  expect(runRelease(release, '--draft').status).toBe(0);
  const files = archives.map((name) => join(release, name));
  npm('install', '--silent', '--offline', '--no-audit', '--prefix', project, ...files);
});
afterAll(() => rmSync(directory, { recursive: true }));

test('a release contains packages, pages, checksums and an SBOM', () => {
  const sbom = `imprimatur-${version}.sbom.cdx.json`;
  const made = ['authority.html', 'console.html', sbom, ...archives, 'reader.html'];
  const read = (name: string) => readFileSync(join(release, name));
  expect(readdirSync(release).sort()).toEqual(['SHA256SUMS', ...made].sort());
  const sums = made.map((name) => `${createHash('sha256').update(read(name)).digest('hex')}  ${name}\n`);
  expect(String(read('SHA256SUMS')).split('\n').sort()).toEqual(sums.join('').split('\n').sort());
  const { components } = JSON.parse(String(read(sbom)));
  const hashOf = (wanted: string) =>
    components.find((one: { name: string }) => one.name === wanted)?.hashes[0].alg;
  const ofServiceAndPages = ['viem', 'preact', 'swagger-ui-dist', '@aws-sdk/client-kms'];
  const bundled = ['commander', 'csv-parse', 'js-sha3', 'picomatch', '@humanwhocodes/momoa'];
  for (const name of [...ofServiceAndPages, ...bundled])
    expect([name, hashOf(name)]).toEqual([name, 'SHA-512']);
  for (const name of ['vitest', '@types/picomatch']) expect(hashOf(name)).toBeUndefined();
});

// CHANGELOG.md has no heading of the version until it is released.
test('`release` rejects a checkout that is not ready, with the fix, and writes nothing', () => {
  const empty = mkdtempSync(join(tmpdir(), 'release-'));
  onTestFinished(() => rmSync(empty, { recursive: true }));
  const { status, stderr } = runRelease(empty);
  expect(status).toBe(1);
  expect(stderr).toContain(`refused: CHANGELOG.md has no heading "## ${version} (date)"`);
  expect(readdirSync(empty)).toEqual([]);
  writeFileSync(`${empty}/letter.txt`, 'kept');
  const second = runRelease(empty, '--draft');
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(`${empty} contains files other than a release`);
  expect(readdirSync(empty)).toEqual(['letter.txt']);
});

test.each(archives)('%s works in Node, bundlers and TypeScript', (archive) => {
  const path = join(release, archive);
  const lint = spawnSync('publint', ['--strict', path], { encoding: 'utf8' });
  expect(lint.stdout).toContain('All good!');
  if (archive.includes('-cli-')) return;
  const types = spawnSync('attw', [path, '--profile', 'esm-only'], { encoding: 'utf8' });
  expect(types.status, types.stdout).toBe(0);
});

test('the packages have no dependencies except each other', () => {
  const installed = npm('ls', '--all', '--parseable', '--prefix', project).trim().split('\n');
  expect(installed).toHaveLength(1 + names.length);
});

test('a script of another project attests and verifies with the packages', async () => {
  const api = await fakeApi(
    [202, { id, status: 'pending' }],
    [200, attestation()],
    [200, attestation(confirmed)],
  );
  const proof = cases.find(({ outcome, text }) => outcome === 'verified' && text !== null);
  if (!proof) throw new Error('no case is verified');
  const script = `
    import { ImprimaturClient } from 'imprimatur-client';
    import { parseProof, verifyOffline } from 'imprimatur-verifier';
    const clock = { now: () => Date.now(), sleep: async () => {} };
    const client = new ImprimaturClient({ url: '${api.url}', apiKey: '${apiKey}', clock });
    const { attestation } = await client.attest('a');
    console.log((await client.waitUntilConfirmed(attestation.id)).attestationIndex);
    const proof = parseProof(${JSON.stringify(fileOf(proof))});
    const options = { blockHash: '${proof.blockHash}', text: ${JSON.stringify(proof.text)} };
    console.log((await verifyOffline(proof, options)).outcome);
  `;
  writeFileSync(join(project, 'script.mjs'), script);
  expect((await run('script.mjs')).stdout).toBe('7\nverified\n');
});

test("the packages export types, and the example of the client's README compiles", () => {
  const program = `
    import { ImprimaturClient, type Attestation } from 'imprimatur-client';
    import { type Outcome, parseReference, verify } from 'imprimatur-verifier';
    const client = new ImprimaturClient({ url: 'https://example.org', apiKey: 'x' });
    export const index: Promise<number | undefined> = client.get('x').then((one: Attestation) => one.attestationIndex);
    export const known: Promise<number> = client.waitUntilConfirmed('x').then((one) => one.attestationIndex);
    // @ts-expect-error: no such status
    client.get('x').then(({ status }) => status === 'done');
    declare const wallet: { request(args: { method: string; params?: unknown[] }): Promise<unknown> };
    const verdict = verify(parseReference('x'), { providers: ['https://example.org', wallet] });
    export const outcome: Promise<Outcome> = verdict.then((one) => one.outcome);
    // @ts-expect-error: no such outcome
    verdict.then((one) => one.outcome === 'good');
  `;
  const readme = readFileSync(join(project, 'node_modules/imprimatur-client/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text);
  expect(examples).toHaveLength(1);
  const programs = [program, ...examples].map((text, at) => {
    writeFileSync(join(project, `program-${at}.mts`), text);
    return `program-${at}.mts`;
  });
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
  const types = ['--lib', 'es2022,dom', '--types', 'node', '--typeRoots', `${checkout}/node_modules/@types`];
  const compiler = `${checkout}/node_modules/typescript/bin/tsc`;
  execFileSync(process.execPath, [compiler, ...options, ...types, ...programs], {
    cwd: project,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
});

test('the packages install their commands', async () => {
  const api = await fakeApi([200, attestation(confirmed)]);
  const command = join(project, 'node_modules/.bin/imprimatur');
  const { stdout } = await promisify(execFile)(plainNode, [command, 'status', id, '--json'], {
    env: { IMPRIMATUR_URL: api.url, IMPRIMATUR_API_KEY: apiKey },
  });
  expect(JSON.parse(stdout)).toEqual(attestation(confirmed));
  expect((await run(command, '--version')).stdout).toBe(`${version}\n`);
  expect((await run('node_modules/.bin/imprimatur-verify', '--help')).stdout).toContain(
    'superseded by a correction',
  );
});
