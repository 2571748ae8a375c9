import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkout } from '../../local/checkout.ts';
import { formatReference } from '../../verifier/verifier.ts';
import { plainNode } from '../client/plain-node.ts';
import { author, type RegistryFixture, startRegistry } from '../contracts/registry.ts';
import { article, attestArticle } from './attested-article.ts';

const directory = mkdtempSync(join(tmpdir(), 'verifier-package-'));
const project = join(directory, 'project');

let registry: RegistryFixture;
/** Another project, with the package installed from its archive. */
beforeAll(async () => {
  const built = join(directory, 'built');
  execFileSync(process.execPath, [`${checkout}/tools/build-verifier.ts`, built]);
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const archive = npm('pack', built, '--silent', '--pack-destination', directory).trim();
  npm('install', '--silent', '--offline', '--no-audit', '--prefix', project, join(directory, archive));
  registry = await startRegistry();
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await registry?.stop();
});

test('the package verifies in a plain script of another project, on the Node of this machine', async () => {
  const { reference } = await attestArticle(registry, author, article);
  const script = `
    import { verify } from 'imprimatur-verifier';
    const options = { providers: ['${registry.chain.rpcUrl}'], text: ${JSON.stringify(article)} };
    console.log((await verify('${formatReference(reference)}', options)).outcome);
  `;
  writeFileSync(join(project, 'script.mjs'), script);
  const { stdout } = await promisify(execFile)(plainNode, ['script.mjs'], { cwd: project });
  expect(stdout).toBe('verified\n');
});

test('it waits for a provider that says nothing, until the time is over', async () => {
  const { reference } = await attestArticle(registry, author, 'Its provider says nothing.');
  const script = `
    import { verify } from 'imprimatur-verifier';
    const providers = [{ request: () => new Promise(() => {}) }];
    console.log((await verify('${formatReference(reference)}', { providers, timeoutMilliseconds: 50 })).outcome);
  `;
  writeFileSync(join(project, 'silent.mjs'), script);
  const { stdout } = await promisify(execFile)(plainNode, ['silent.mjs'], { cwd: project });
  expect(stdout).toBe('unknown\n');
});

test('it gives another project its types', () => {
  const program = `
    import { type Outcome, parseReference, verify } from 'imprimatur-verifier';
    declare const wallet: { request(args: { method: string; params?: unknown[] }): Promise<unknown> };
    const verdict = verify(parseReference('x'), { providers: ['https://example.org', wallet] });
    export const outcome: Promise<Outcome> = verdict.then((one) => one.outcome);
    // @ts-expect-error: no such outcome
    verdict.then((one) => one.outcome === 'good');
  `;
  writeFileSync(join(project, 'program.mts'), program);
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
  ];
  const compile = [
    `${checkout}/node_modules/typescript/bin/tsc`,
    '--ignoreConfig',
    ...options,
    'program.mts',
  ];
  execFileSync(process.execPath, compile, { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] });
});

test('it depends on nothing', () => {
  const list = ['ls', '--all', '--parseable', '--prefix', project];
  const installed = execFileSync('npm', list, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  expect(installed.trim().split('\n')).toHaveLength(2);
});
