import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attestation, confirmed, id } from './attestations.ts';
import { apiKey } from './client-of.ts';
import { fakeApi } from './fake-api.ts';
import { plainNode } from './plain-node.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const directory = mkdtempSync(join(tmpdir(), 'package-'));
const project = join(directory, 'project');
afterAll(() => rmSync(directory, { recursive: true }));

/** Another project, with the package installed from its archive. */
beforeAll(() => {
  const built = join(directory, 'built');
  execFileSync(process.execPath, [fileOf('publisher/build-package.ts'), built]);
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const archive = npm('pack', built, '--silent', '--pack-destination', directory).trim();
  npm('install', '--silent', '--offline', '--no-audit', '--prefix', project, join(directory, archive));
}, 60_000);

const run = promisify(execFile);

/** Writes a file of the project. @returns its name */
function write(name: string, text: string): string {
  writeFileSync(join(project, name), text);
  return name;
}

/** Programs of the package's README. */
function examples(): string[] {
  const readme = readFileSync(join(project, 'node_modules/imprimatur-client/README.md'), 'utf8');
  const programs = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program = '']) => program);
  expect(programs).toHaveLength(2);
  return programs;
}

it('holds what it needs and nothing else', () => {
  const pack = ['pack', join(directory, 'built'), '--dry-run', '--json', '--silent'];
  const [packed] = JSON.parse(
    execFileSync('npm', pack, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
  const modules = readdirSync(fileOf('client')).filter((name) => name.endsWith('.ts'));
  const built = modules.flatMap((name) => [name.replace(/ts$/, 'js'), name.replace(/ts$/, 'd.ts')]);
  expect(paths.toSorted()).toEqual(
    [
      'LICENSE',
      'README.md',
      ...[...built, 'publisher.js'].map((name) => `dist/${name}`),
      'package.json',
    ].toSorted(),
  );
});

it('can be published, which the package in the checkout cannot', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const { private: isPrivate, ...fields } = read(fileOf('client/package.json'));
  expect(isPrivate).toBe(true);
  expect(read(join(directory, 'built/package.json'))).toEqual(fields);
});

it('is imported by a plain script of another project', async () => {
  const api = await fakeApi(
    [202, { id, status: 'pending' }],
    [200, attestation()],
    [200, attestation(confirmed)],
  );
  const script = `
    import { AttestationFailedError, ImprimaturClient } from 'imprimatur-client';
    if (typeof AttestationFailedError !== 'function') throw new Error('errors are missing');
    const clock = { now: () => Date.now(), sleep: async () => {} };
    const client = new ImprimaturClient({ url: '${api.url}', apiKey: '${apiKey}', clock });
    const { attestation } = await client.attest('a');
    console.log((await client.waitUntilConfirmed(attestation.id)).attestationIndex);
  `;
  writeFileSync(join(project, 'script.mjs'), script);
  const { stdout } = await run(plainNode, ['script.mjs'], { cwd: project });
  expect(stdout).toBe('7\n');
});

it('gives another project its types', () => {
  const program = `
    import { ImprimaturClient, type Attestation } from 'imprimatur-client';
    const client = new ImprimaturClient({ url: 'https://example.org', apiKey: 'x' });
    export const index: Promise<number | undefined> = client.get('x').then((one: Attestation) => one.attestationIndex);
    export const known: Promise<number> = client.waitUntilConfirmed('x').then((one) => one.attestationIndex);
    // @ts-expect-error: no such status
    client.get('x').then(({ status }) => status === 'done');
  `;
  writeFileSync(join(project, 'program.mts'), program);
  const programs = ['program.mts', ...examples().map((text, at) => write(`example-${at}.mts`, text))];
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
    '--types',
    'node',
    '--typeRoots',
    fileOf('node_modules/@types'),
  ];
  const compile = [fileOf('node_modules/typescript/bin/tsc'), '--ignoreConfig', ...options, ...programs];
  execFileSync(process.execPath, compile, { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] });
});

it('brings the publisher’s command', async () => {
  const api = await fakeApi([200, attestation(confirmed)]);
  const command = join(project, 'node_modules/.bin/imprimatur');
  const env = { IMPRIMATUR_URL: api.url, IMPRIMATUR_API_KEY: apiKey };
  const { stdout } = await run(plainNode, [command, 'status', id, '--json'], { env });
  expect(JSON.parse(stdout)).toEqual(attestation(confirmed));
});

it('brings a command that knows its version', async () => {
  const { version } = JSON.parse(readFileSync(fileOf('client/package.json'), 'utf8'));
  const { stdout } = await run(plainNode, [join(project, 'node_modules/.bin/imprimatur'), '--version']);
  expect(stdout).toBe(`${version}\n`);
});

it('depends on nothing', () => {
  const installed = execFileSync('npm', ['ls', '--all', '--parseable', '--prefix', project], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(installed.trim().split('\n')).toHaveLength(2);
});
