import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkout } from '../../../../local/checkout.ts';
import { apiKey, FakeTime } from '../../../client/test/fake-api.ts';
import { Archive, articles, type Trouble, UnkindApi } from './archive.ts';

let api: UnkindApi;

beforeEach(async () => {
  api = await UnkindApi.start();
});

describe('attest, of an archive, waits out', () => {
  it.each<[string, Trouble]>([
    ['a limit', { kind: 'refuse', status: 429, retryAfterSeconds: 5 }],
    ['the service’s trouble', { kind: 'refuse', status: 503 }],
    ['internal errors', { kind: 'refuse', status: 500 }],
    ['a network that is down', { kind: 'hangUp' }],
    ['answers that are lost', { kind: 'hangUpAfterDoing' }],
    ['errors for what was done', { kind: 'answer500AfterDoing' }],
  ])('%s', async (_, trouble) => {
    const archive = new Archive(api, articles(30));
    api.trouble = (_method, path, number) => (path !== 'chains' && number % 3 === 0 ? trouble : undefined);
    expect(await archive.attest()).toMatchObject({ exitCode: 0 });
    archive.expectWhole(30);
  });

  it('the day, when a day’s attestations are used up', async () => {
    const archive = new Archive(api, articles(5));
    const clock = new FakeTime();
    const tomorrow = clock.now() + 38_490_000;
    api.trouble = (method) =>
      method === 'POST' && clock.now() < tomorrow
        ? { kind: 'refuse', status: 429, retryAfterSeconds: Math.ceil((tomorrow - clock.now()) / 1000) }
        : undefined;
    expect(await archive.attest(['--yes'], { clock })).toMatchObject({ exitCode: 0 });
    archive.expectWhole(5);
    expect(clock.now()).toBeGreaterThanOrEqual(tomorrow);
  });
});

it('ends with exit code 3 when the service answers nothing for longer than --timeout, and goes on the next time', async () => {
  const archive = new Archive(api, articles(5));
  api.trouble = (method) =>
    method === 'POST' && api.posts.length >= 2
      ? { kind: 'refuse', status: 429, retryAfterSeconds: 38_490 }
      : undefined;
  const { exitCode, error } = await archive.attest(['--yes', '--timeout', '900']);
  expect(exitCode).toBe(3);
  expect(error).toContain('no request would be answered within 900 s');
  api.trouble = () => undefined;
  expect(await archive.attest()).toMatchObject({ exitCode: 0 });
  archive.expectWhole(5);
});

it('tells of an attestation that the service has lost, and attests the others', async () => {
  const archive = new Archive(api, articles(3));
  expect(await archive.attest()).toMatchObject({ exitCode: 0 });
  api.attestations.splice(0, 1);
  archive.write('4.md', 'Article 4.\n');
  const { exitCode, out } = await archive.attest(['--yes', '--proof']);
  expect(exitCode).toBe(1);
  expect(out).toMatch(/\d\.md: the service knows no attestation [\w-]+; take its line out of the manifest/);
  expect(archive.manifest.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'confirmed'));
});

it('prints nothing raw of a file name', async () => {
  const archive = new Archive(api, { 'a\u001b[31m\nforged.md': '', 'b.md': 'Article.\n' });
  const { error, out } = await archive.attest();
  for (const told of [error, out]) {
    expect(told).not.toContain('\u001b');
    expect(told).not.toMatch(/^forged/m);
    expect(told).toContain('a\\u{1b}[31m\\u{a}forged.md');
  }
});

it('gives up a text that alone is answered 500, and attests the others', async () => {
  const archive = new Archive(api, articles(20));
  const cursed = 'Article 7.\n';
  api.isCursed = (content) => content === cursed;
  const { exitCode, out } = await archive.attest();
  expect(exitCode).toBe(1);
  expect(out).toContain('7.md: internal error');
  expect(out).toContain('20 texts: 19 confirmed, 1 failed');
});

it('stops all requests at once when the key is refused', async () => {
  const archive = new Archive(api, articles(50));
  let isRefused = false;
  api.trouble = (method) => {
    if (method !== 'POST' || isRefused || api.posts.length < 20) return undefined;
    isRefused = true;
    return { kind: 'refuse', status: 401 };
  };
  const { exitCode, error } = await archive.attest();
  expect(exitCode).toBe(1);
  expect(error).toContain('check IMPRIMATUR_API_KEY');
  expect(api.received.filter(([method]) => method === 'POST').length).toBeLessThan(45);
  api.trouble = () => undefined;
  await archive.attest();
  archive.expectWhole(50);
});

describe('attest, of an archive, after a crash', () => {
  it('does not go on with a manifest that is broken elsewhere', async () => {
    const archive = new Archive(api, articles(2));
    await archive.attest();
    appendFileSync(archive.path('imprimatur.lock.jsonl'), 'x\n');
    const { exitCode, error } = await archive.attest();
    expect(exitCode).toBe(2);
    expect(error).toMatch(/line 3 of .*imprimatur.lock.jsonl is no line of a manifest/);
  });

  it('refuses a second run at the same time', async () => {
    const archive = new Archive(api, articles(2));
    const running = archive.path('imprimatur.lock.jsonl.running');
    let inside: Awaited<ReturnType<Archive['attest']>> | undefined;
    const ask = async () => {
      inside = await archive.attest();
      return 'y';
    };
    await archive.attest([], { ask });
    expect(inside).toMatchObject({ exitCode: 2, error: expect.stringContaining(`remove ${running}`) });
    archive.expectWhole(2);
  });

  it('loses and repeats nothing when it is killed again and again', async () => {
    const archive = new Archive(api, articles(200));
    const argv = ['attest', archive.folder, '--yes', '--manifest', archive.path('imprimatur.lock.jsonl')];
    const env = { ...process.env, IMPRIMATUR_URL: api.url, IMPRIMATUR_API_KEY: apiKey };
    for (const after of [30, 90, 150]) {
      const child = spawn(process.execPath, [`${checkout}/packages/cli/src/main.ts`, ...argv], {
        env,
        stdio: 'ignore',
      });
      api.trouble = () => {
        if (api.posts.length >= after) child.kill('SIGKILL');
        return undefined;
      };
      await new Promise((resolve) => child.on('exit', resolve));
    }
    api.trouble = () => undefined;
    expect((await archive.attest()).exitCode).toBe(0);
    archive.expectWhole(200);
    // At most what was under way at each kill is asked for twice.
    expect(api.posts.length).toBeLessThan(200 + 3 * 20);
  });
});
