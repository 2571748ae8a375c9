import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseProof, referencesInPage } from 'imprimatur-verifier';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type FaultyApi, startApi } from '../faulty-api.ts';
import { service } from '../running-service.ts';
import { type ActionStep, readAction, runAction } from './run-action.ts';

vi.mock('../../../functions/adapters/compose-services.ts', () => import('../running-service.ts'));
vi.mock('../../../functions/adapters/compose-records.ts', () => import('../running-service.ts'));
vi.mock('../../../functions/adapters/aws/cloudwatch-log.ts', () => import('../running-service.ts'));

let api: FaultyApi;

beforeAll(async () => {
  // Before each answer, the service completes its work.
  api = await startApi(() => service.untilIdle());
});
afterAll(() => api.stop());
beforeEach(() => {
  api.received.length = 0;
});

function workspaceWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const workspace = mkdtempSync(join(tmpdir(), 'workspace-'));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  mkdirSync(`${workspace}/articles`);
  for (const [name, text] of Object.entries(files)) writeFileSync(`${workspace}/${name}`, text);
  return workspace;
}

const act = (workspace: string, step: Partial<ActionStep> = {}) =>
  runAction({
    ...{ workspace, ...step },
    with: { 'subject-path': 'articles', 'api-url': api.url, 'api-key': api.key, ...step.with },
  });

const idsOf = ({ outputs }: Awaited<ReturnType<typeof runAction>>) =>
  outputs['attestation-id']?.split('\n') ?? [];
const posts = () => api.received.filter((request) => request.startsWith('POST'));

async function childOf(id: string | undefined): Promise<unknown> {
  const headers = { Authorization: `Bearer ${api.key}` };
  const answer = await fetch(`${api.url}/v1/attestations/${id}`, { headers });
  return ((await answer.json()) as Record<string, unknown>).childAttestationId;
}

test('the action attests new texts, then changed ones with links, and nothing twice', async () => {
  const workspace = workspaceWith({ 'articles/one.md': 'The first text.\n', 'articles/two.txt': 'Two|`*\n' });
  const first = await act(workspace);
  expect(first).toMatchObject({ exitCode: 0 });
  expect(posts()).toHaveLength(2);
  const ids = idsOf(first);
  expect(new Set(ids).size).toBe(2);
  const bundle = readFileSync(`${workspace}/imprimatur.lock.jsonl`, 'utf8');
  const linesOf = (text: string) => text.trimEnd().split('\n');
  expect(linesOf(bundle).map((line) => JSON.parse(line).file)).toEqual([
    'articles/one.md',
    'articles/two.txt',
  ]);
  const proofs = linesOf(readFileSync(first.outputs['bundle-path'] ?? '', 'utf8'));
  const proven = proofs.map((line) => parseProof(Buffer.from(line)).reference.contentCid);
  expect(proven).toHaveLength(2);
  const beside = readFileSync(`${workspace}/articles/one.proof.json`);
  expect(parseProof(beside).reference.contentCid).toBe(proven[0]);
  expect(first.summary).toContain(`| articles/one.md | confirmed | bafkrei`);
  expect(first.log.replace(/^::add-mask::.*$/m, '')).not.toContain(api.key);
  expect(first.log).not.toMatch(/first text/);

  api.received.length = 0;
  const again = await act(workspace);
  expect({ ...again.outputs, 'bundle-path': '' }).toEqual({ 'attestation-id': '', 'bundle-path': '' });
  expect(again.summary).toContain('No text is new or changed.');
  expect(posts()).toEqual([]);

  writeFileSync(`${workspace}/articles/one.md`, 'The first text, corrected.\n');
  const changed = await act(workspace);
  const [old] = ids;
  const [corrected] = idsOf(changed);
  expect(posts()).toEqual(['POST /v1/attestations', `POST /v1/attestations/${old}/child`]);
  expect(await childOf(old)).toBe(corrected);

  // A run for an earlier commit, without a manifest.
  rmSync(`${workspace}/imprimatur.lock.jsonl`);
  expect(idsOf(await act(workspace))).toEqual([corrected, ids[1]]);
});

test.each([
  [
    'on one line with commas',
    'articles/a.md, articles/b.txt,, articles/[c,d].{md,markdown}, articles/e?f.md',
  ],
  [
    'on one line each, where a comma is part of a name',
    'articles/a.md\n\n  articles/b.txt\narticles/[c,d].{md,markdown}\narticles/e,f.md\n',
  ],
])('the action accepts several paths %s', async (_, paths) => {
  const files = ['a.md', 'b.txt', 'c.md', 'd.markdown', 'e,f.md', 'left-out.md'];
  const texts = Object.fromEntries(files.map((file) => [`articles/${file}`, `${file} of a list.\n`]));
  const workspace = workspaceWith(texts);
  const run = await act(workspace, { with: { 'subject-path': paths, 'show-summary': 'False' } });
  expect([run.exitCode, idsOf(run).length, run.summary]).toEqual([0, 5, '']);
  const manifest = readFileSync(`${workspace}/imprimatur.lock.jsonl`, 'utf8');
  for (const file of files.slice(0, -1)) expect(manifest).toContain(`"articles/${file}"`);
});

test('a single path with a comma is one path', async () => {
  const file = 'articles/a.md, articles/b.md';
  const workspace = workspaceWith({ 'articles/a.md': 'Not this.\n' });
  mkdirSync(`${workspace}/articles/a.md, articles`);
  writeFileSync(`${workspace}/${file}`, 'This.\n');
  const run = await act(workspace, { with: { 'subject-path': file } });
  expect([run.exitCode, idsOf(run).length]).toEqual([0, 1]);
  expect(readFileSync(`${workspace}/imprimatur.lock.jsonl`, 'utf8')).toContain(`"${file}"`);
});

test('a pull request attests nothing', async () => {
  const workspace = workspaceWith({ 'articles/draft.md': 'Not merged.\n' });
  const run = await act(workspace, { event: 'pull_request_target' });
  expect(run).toMatchObject({ exitCode: 0, outputs: { 'attestation-id': '' } });
  expect(posts()).toEqual([]);
  expect(run.log).toMatch(/^::notice::1 of 1 texts would be attested\.$/m);
});

test("a fork's pull request without a secret succeeds with a notice; other events without a key fail", async () => {
  const run = await act(workspaceWith({ 'articles/a.md': 'a' }), {
    event: 'pull_request',
    with: { 'api-key': '' },
  });
  expect(run).toMatchObject({ exitCode: 0, outputs: { 'attestation-id': '', 'bundle-path': '' } });
  expect(run.log).toMatch(/^::notice::There is no API key, as in every pull request from a fork/);
  const elsewhere = await act(workspaceWith({ 'articles/a.md': 'a' }), { with: { 'api-key': '' } });
  expect(elsewhere).toMatchObject({ exitCode: 1 });
  expect(elsewhere.log).toContain('::error::Set subject-path, api-url and api-key');
  expect(api.received).toEqual([]);
});

test('the action marks a file that cannot be attested, attests the others, and disables workflow commands in the output of the CLI', async () => {
  const workspace = workspaceWith({ 'articles/bad.md': Buffer.from([0xff]), 'articles/good.md': 'Good.\n' });
  const run = await act(workspace);
  expect(run.exitCode).toBe(1);
  expect(run.log).toMatch(/^::error file=articles\/bad\.md::.*is not valid UTF-8/m);
  expect(idsOf(run)).toHaveLength(1);
  const [, token] = /^::stop-commands::(\S+)$/m.exec(run.log) ?? [];
  expect(run.log).toMatch(new RegExp(`^::${token}::$`, 'm'));
});

test('the static site marks its pages while their text is the attested one', async () => {
  const workspace = workspaceWith({});
  cpSync('integrations/static-site', workspace, { recursive: true });
  // A symbolic link, because the path of a checkout may contain spaces.
  symlinkSync(resolve('packages/cli/bin/imprimatur.js'), `${workspace}/imprimatur.js`);
  const build = () => {
    const env = { ...process.env, IMPRIMATUR: 'node imprimatur.js' };
    execFileSync(process.execPath, ['build.js'], { cwd: workspace, env, stdio: 'pipe' });
    return referencesInPage(readFileSync(`${workspace}/public/example.html`, 'utf8')).references;
  };
  expect(build()).toEqual([]);
  const workflow = readFileSync(`${workspace}/.github/workflows/publish.yml`, 'utf8');
  const [, given = ''] = /integrations\/action@[\s\S]*?with:\n((?: {10}.*\n)+)/.exec(workflow) ?? [];
  const inputs = Object.fromEntries(
    given
      .trim()
      .split('\n')
      .map((line) => line.trim().split(': ')),
  );
  expect(Object.keys(inputs)).toEqual(['subject-path', 'api-url', 'api-key']);
  await act(workspace, { with: { ...inputs, 'api-url': api.url, 'api-key': api.key } });
  expect(build()).toMatchObject([{ contentCid: expect.stringMatching(/^bafkrei/) }]);
  expect(readFileSync(`${workspace}/public/example.html`, 'utf8')).toContain(
    'title="Attested text" href="example.txt"',
  );
  expect(readFileSync(`${workspace}/public/example.txt`)).toEqual(
    readFileSync(`${workspace}/articles/example.txt`),
  );
  appendFileSync(`${workspace}/articles/example.txt`, 'Changed.\n');
  expect(build()).toEqual([]);
});

test('action.yml lists the inputs and outputs of the action', () => {
  const { inputs, outputs } = readAction();
  const source = readFileSync('integrations/action/main.js', 'utf8');
  const found = (pattern: RegExp) =>
    [...new Set([...source.matchAll(pattern)].map(([, name]) => name))].sort();
  expect(found(/\binput\('([\w-]+)'\)/g)).toEqual(inputs.map(({ name }) => name).sort());
  expect(found(/\bsetOutput\('([\w-]+)'/g)).toEqual(outputs.toSorted());
});
