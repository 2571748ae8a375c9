import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkout } from '../../../../local/checkout.ts';
import { apiKey, FakeTime, fakeApi } from '../../../client/test/fake-api.ts';
import { InterruptedError } from '../../src/errors.ts';
import { expectError, expectOutput } from '../run.ts';
import { Archive, articles, chain, type Fault, FaultyApi } from './faulty-api.ts';

let api: FaultyApi;

beforeEach(async () => {
  api = await FaultyApi.start();
});

describe('attest with an archive', () => {
  it('attests each text once, waits until all are confirmed, and writes a sorted manifest', async () => {
    const archive = new Archive(api, { 'b/2.md': 'Two.', 'a.txt': 'One.', 'b/1.md': 'Three.', 'x.png': '' });
    await expectOutput(archive.attest(), 0, '3 texts: 3 confirmed, in ');
    archive.expectComplete(3);
    expect(archive.manifest.map(({ file }) => file)).toEqual(['a.txt', 'b/1.md', 'b/2.md']);
    const { contentCid, id } = api.attestations.find(({ id }) => id === archive.manifest[0]?.id) ?? {};
    expect(archive.manifest[0]).toEqual({
      ...{ file: 'a.txt', contentCid, id, status: 'confirmed' },
      ...{ chainId: 31337, authorityAddress: chain.authorityAddress },
    });
  });

  it('leaves no timer behind that would keep the process alive', async () => {
    const archive = new Archive(api, articles(1));
    await archive.attest();
    const [clock, running] = [new FakeTime(), new Set<AbortSignal>()];
    clock.sleep = (_, signal = AbortSignal.any([])) =>
      new Promise((_, reject) => {
        running.add(signal);
        signal.addEventListener('abort', () => reject(running.delete(signal)));
      });
    expect(await archive.attest([], { clock })).toMatchObject({ exitCode: 0 });
    expect(running.size).toBe(0);
  });

  it('accepts files that the shell expanded, and patterns', async () => {
    const archive = new Archive(api, { ...articles(3), 'b/4.md': 'Four.', 'b/4.proof.json': '{}' });
    const shell = ['1.md', '2.md', 'b/4.proof.json'].map((name) => archive.path(name));
    expect((await archive.command([...shell.slice(0, 2), '--yes'])).exitCode).toBe(0);
    expect(api.posts).toHaveLength(2);
    expect((await archive.command([archive.path('**/*.md'), '--yes'])).exitCode).toBe(0);
    archive.expectComplete(4);
  });

  it('takes URLs from a list, and reports a different URL of an earlier attestation', async () => {
    const archive = new Archive(api, {
      'list.csv': 'url,file\nhttps://example.org/1,1.md\n"https://example.org/2,b","2.md"\n',
      ...{ 'b.jsonl': '{"file":"1.md","url":"https://b.example/"}', ...articles(2) },
    });
    expect((await archive.command(['--list', archive.path('list.csv'), '--yes'])).exitCode).toBe(0);
    expect(api.posts.map(({ content, url }) => [content, url]).sort()).toEqual([
      ['Article 1.\n', 'https://example.org/1'],
      ['Article 2.\n', 'https://example.org/2,b'],
    ]);
    const again = new Archive(api, {});
    const { error } = await again.command(['--list', archive.path('b.jsonl'), '--yes']);
    expect(error).toMatch(/1.md: already attested with https:\/\/example.org\/1; https:\/\/b.ex/);
  });

  it('sends one request for files with the same text, and writes a line for each file', async () => {
    const archive = new Archive(api, { 'a.md': 'Same.', 'b.md': 'Same.', 'c.md': 'Other.' });
    const { error } = await archive.attest();
    expect(error).toMatch(/^ +1 {2}duplicates: /m);
    expect(api.posts).toHaveLength(2);
    const [a, b, c] = archive.manifest;
    expect(a?.id).toBe(b?.id);
    expect(a?.id).not.toBe(c?.id);
  });

  it('first lists the files that cannot be attested, and then attests the others', async () => {
    const archive = new Archive(api, {
      ...articles(2),
      'empty.md': '',
      'latin.md': Buffer.from('na\u00efve', 'latin1'),
      'long.md': 'a'.repeat(1_048_577),
    });
    const { exitCode, error, out } = await archive.attest();
    expect(exitCode).toBe(1);
    const plan = error.slice(0, error.indexOf('chain  '));
    for (const name of ['empty.md is empty', 'latin.md is not valid UTF-8', 'long.md has 1,048,577 bytes'])
      expect(plan).toContain(name);
    expect(out).toContain('2 texts: 2 confirmed');
    expect(out).toContain('failed, 3 files:');
    archive.expectComplete(2);
    const json = JSON.parse((await archive.attest(['--yes', '--json'])).out);
    expect(json).toMatchObject({ total: 2, sent: 2, confirmed: 2, failed: 0 });
    expect(json.faults).toHaveLength(3);
  });

  it('lists failed texts and exits with 1; the next run retries them', async () => {
    const archive = new Archive(api, articles(3));
    api.failing.add('Article 2.\n');
    await expectOutput(archive.attest(), 1, '2.md: the registry refused: Revoked');
    expect(archive.manifest[1]).toMatchObject({ status: 'failed', error: 'the registry refused: Revoked' });
    api.failing.clear();
    expect((await archive.attest()).exitCode).toBe(0);
    expect(archive.manifest.every(({ status }) => status === 'confirmed')).toBe(true);
    expect(archive.manifest[1]).not.toHaveProperty('error');
  });

  it('writes proof files once', async () => {
    const archive = new Archive(api, { 'b/1.md': 'One.', 'b/2.md': 'One.' });
    await archive.attest(['--yes', '--proof']);
    for (const name of ['b/1', 'b/2'])
      expect(JSON.parse(readFileSync(archive.path(`${name}.proof.json`), 'utf8'))).toMatchObject({
        version: 1,
      });
    expect(archive.manifest.map(({ proof }) => proof)).toEqual(['b/1.proof.json', 'b/2.proof.json']);
    const proofRequests = () => api.received.filter(([, path]) => path.endsWith('/proof')).length;
    expect(proofRequests()).toBe(1);
    await archive.attest(['--yes', '--proof']);
    expect(proofRequests()).toBe(1);
  });

  it('refuses texts that would share a proof file', async () => {
    const archive = new Archive(api, { 'a.md': 'One.', 'a.txt': 'Two.' });
    await expectError(archive.attest(['--yes', '--proof']), 2, 'share the proof file');
    expect(api.posts).toEqual([]);
  });

  it('ends with --no-wait when all texts are sent; the next run follows them', async () => {
    const archive = new Archive(api, articles(2));
    api.readsToConfirm = 4;
    const { exitCode, out } = await archive.attest(['--yes', '--no-wait']);
    expect(exitCode).toBe(0);
    expect(out).toContain('2 in progress');
    const again = await archive.attest([]);
    expect(again.exitCode).toBe(0);
    expect(again.error).toMatch(/^ +2 {2}attested or in progress in .*imprimatur.lock.jsonl$/m);
    archive.expectComplete(2);
    expect(api.posts).toHaveLength(2);
  });

  it('exits with 3 after the time limit', async () => {
    const archive = new Archive(api, articles(1));
    api.readsToConfirm = 1000;
    await expectOutput(archive.attest(['--yes', '--timeout', '60']), 3, 'The service continues.');
  });

  it('attests exact texts with --exact-text, and counts files with invisible characters', async () => {
    const archive = new Archive(api, { 'a.md': '\ufeffOne\r\n', 'b.html': '<p>Two', 'c.md': 'Th\u200bree' });
    const { exitCode, error } = await archive.command([archive.path('*.*'), '--exact-text', '--yes']);
    expect(exitCode).toBe(0);
    const metadata = { textProfile: 'imprimatur-text-1' };
    expect(api.posts.map(({ content, metadata: sent }) => [content, sent]).sort()).toEqual([
      ['One\n', metadata],
      ['Th\u200bree\n', metadata],
      ['Two\n', metadata],
    ]);
    expect(error).toMatch(/^ +1 {2}with invisible characters/m);
  });
});

describe('attest with an archive, before it sends', () => {
  it.each([
    ['y', 0, 2],
    ['', 1, 0],
  ])('asks for confirmation, and respects the answer %j', async (answer, exitCode, posts) => {
    const archive = new Archive(api, articles(2));
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return answer;
    };
    expect((await archive.attest([], { ask })).exitCode).toBe(exitCode);
    expect(questions).toEqual(['\nYou cannot undo an attestation. Attest 2 texts? [y/N] ']);
    expect(api.posts).toHaveLength(posts);
    expect(existsSync(archive.path('imprimatur.lock.jsonl'))).toBe(posts > 0);
  });

  it('refuses to run without a terminal and without --yes', async () => {
    const archive = new Archive(api, articles(1));
    await expectError(archive.attest([]), 2, 'pass --yes');
    expect(api.posts).toEqual([]);
  });

  it('prints count, gas and time with --dry-run, and sends nothing', async () => {
    const archive = new Archive(api, articles(3));
    const { exitCode, out } = await archive.attest(['--dry-run']);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^3 files\n {8}3 {2}to attest, 33 bytes$/m);
    expect(out).toMatch(/^gas {8}360,000 to 489,000, 120,000 to 163,000 each$/m);
    expect(out).toMatch(/^cost {7}unknown: /m);
    expect(out).toMatch(/^time {7}about .* to send, 8 at once$/m);
    expect(api.received.every(([method]) => method === 'GET')).toBe(true);
    expect(existsSync(archive.path('imprimatur.lock.jsonl'))).toBe(false);
  });

  it('prints the cost at the gas price of a provider on the right chain', async () => {
    const archive = new Archive(api, articles(100));
    const other = await fakeApi([200, { result: '0x1' }]);
    const node = await fakeApi([200, { result: '0x7a69' }], [200, { result: '0x5b8d80' }]);
    const { out } = await archive.attest(['--dry-run', '--rpc', other.url, '--rpc', node.url]);
    expect(out).toMatch(/^gas {8}4,200,000 to 5,800,000, 42,000 to 58,000 each$/m);
    expect(out).toMatch(/^cost {7}0.000025 to 0.000035 of the chain's coin at 0.006 gwei, paid by/m);
  });

  const undelegated = { ...chain, delegationActive: false };

  it.each([
    ['a chain that the service lacks', ['--chain', '5'], [chain], 'does not serve chain 5'],
    ['several chains without --chain', [], [chain, { ...chain, chainId: 1 }], 'missing --chain'],
    ['a chain without delegation', [], [undelegated], 'run imprimatur delegate'],
    ['one URL', ['--url', 'https://example.org'], [chain], '--url works for one text'],
    ['one proof file', ['--proof', 'a.json'], [chain], 'takes no file name'],
  ])('refuses %s', async (_, options, chains, message) => {
    api.chains = chains;
    const archive = new Archive(api, articles(1));
    const { exitCode, error } = await archive.attest(['--yes', ...options]);
    expect(exitCode).toBeGreaterThan(0);
    expect(error).toContain(message);
    expect(api.posts).toEqual([]);
  });

  it('refuses a manifest of another chain', async () => {
    const archive = new Archive(api, articles(1));
    await archive.attest();
    api.chains = [{ ...chain, chainId: 1 }];
    await expectError(archive.attest(), 2, 'pass another --manifest');
  });
});

describe('attest with an archive of changed texts', () => {
  it('reports changed texts, attests them as new, and links nothing without the option', async () => {
    const archive = new Archive(api, { 'a.md': 'Once.' });
    await archive.attest();
    archive.write('a.md', 'Corrected.');
    const { error } = await archive.attest();
    expect(error).toMatch(/^ +1 {2}changed: attested as new; .*--link-corrections$/m);
    expect(api.links).toEqual([]);
    const [first, second] = api.attestations;
    expect(archive.manifest).toMatchObject([{ id: second?.id, corrects: [first?.id] }]);
  });

  it('does not send a text that changes while the user is asked', async () => {
    const archive = new Archive(api, articles(1));
    const ask = async () => {
      archive.write('1.md', 'Something else.');
      return 'y';
    };
    await expectOutput(archive.attest([], { ask }), 1, '1.md: the file changed during this run');
    expect(api.posts).toEqual([]);
  });
});

describe('attest with an archive, on Ctrl-C', () => {
  it('exits with 130 and prints how to resume; the next run resumes', async () => {
    const archive = new Archive(api, articles(40));
    const controller = new AbortController();
    api.fault = (method) => {
      if (method === 'POST' && api.posts.length === 20) controller.abort(new InterruptedError(130));
      return undefined;
    };
    const { exitCode, error } = await archive.attest(['--yes'], { signal: controller.signal });
    expect(exitCode).toBe(130);
    expect(error).toMatch(/interrupted with \d+ of 40 sent and \d+ confirmed; .* to resume\n$/);
    expect((await archive.attest()).exitCode).toBe(0);
    archive.expectComplete(40);
  });
});

describe('attest with an archive waits out', () => {
  it.each<[string, Fault]>([
    ['a rate limit', { status: 429, retryAfterSeconds: 5 }],
    ['an unavailable service', { status: 503 }],
    ['internal errors', { status: 500 }],
    ['a network that is down', {}],
    ['lost responses', { takesEffect: true }],
    ['errors of requests that took effect', { status: 500, takesEffect: true }],
  ])('%s', async (_, fault) => {
    const archive = new Archive(api, articles(30));
    api.fault = (_method, path) => path !== 'chains' && api.received.length % 3 === 0 && fault;
    expect(await archive.attest()).toMatchObject({ exitCode: 0 });
    archive.expectComplete(30);
  });

  it('a rate limit that lasts until the next day', async () => {
    const archive = new Archive(api, articles(5));
    const clock = new FakeTime();
    const tomorrow = clock.now() + 38_490_000;
    api.fault = (method) =>
      method === 'POST' &&
      clock.now() < tomorrow && {
        status: 429,
        retryAfterSeconds: Math.ceil((tomorrow - clock.now()) / 1000),
      };
    expect(await archive.attest(['--yes'], { clock })).toMatchObject({ exitCode: 0 });
    archive.expectComplete(5);
    expect(clock.now()).toBeGreaterThanOrEqual(tomorrow);
  });
});

it('attest with an archive exits with 3 if the service refuses for longer than --timeout, and the next run resumes', async () => {
  const archive = new Archive(api, articles(5));
  api.fault = (method) =>
    method === 'POST' && api.posts.length >= 2 && { status: 429, retryAfterSeconds: 38_490 };
  const { exitCode, error } = await archive.attest(['--yes', '--timeout', '900']);
  expect(exitCode).toBe(3);
  expect(error).toContain('no answer expected within 900 s');
  api.fault = () => undefined;
  expect(await archive.attest()).toMatchObject({ exitCode: 0 });
  archive.expectComplete(5);
});

it('attest with an archive reports an attestation that the service has lost, and attests the other texts', async () => {
  const archive = new Archive(api, articles(3));
  expect(await archive.attest()).toMatchObject({ exitCode: 0 });
  api.attestations.splice(0, 1);
  archive.write('4.md', 'Article 4.\n');
  await expectOutput(
    archive.attest(['--yes', '--proof']),
    1,
    /\d\.md: the service has no attestation [\w-]+; .*remove its line/,
  );
  expect(archive.manifest.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'confirmed'));
});

it('attest with an archive escapes control characters in file names', async () => {
  const archive = new Archive(api, { 'a\u001b[31m\nforged.md': '', 'b.md': 'Article.\n' });
  const { error, out } = await archive.attest();
  for (const output of [error, out]) {
    expect(output).not.toContain('\u001b');
    expect(output).not.toMatch(/^forged/m);
    expect(output).toContain('a\\u{1b}[31m\\u{a}forged.md');
  }
});

it('attest with an archive skips a text if only that text causes a 500, and attests the others', async () => {
  const archive = new Archive(api, articles(20));
  api.fault = (_method, _path, body) => body.includes('Article 7.') && { status: 500 };
  const { exitCode, out } = await archive.attest();
  expect(exitCode).toBe(1);
  expect(out).toContain('7.md: the service is busy');
  expect(out).toContain('20 texts: 19 confirmed, 1 failed');
});

it('attest with an archive stops all requests when the key is refused', async () => {
  const archive = new Archive(api, articles(50));
  let isRefused = false;
  api.fault = (method) => {
    if (method !== 'POST' || isRefused || api.posts.length < 20) return undefined;
    isRefused = true;
    return { status: 401 };
  };
  await expectError(archive.attest(), 1, 'check IMPRIMATUR_API_KEY');
  expect(api.received.filter(([method]) => method === 'POST').length).toBeLessThan(45);
  api.fault = () => undefined;
  await archive.attest();
  archive.expectComplete(50);
});

describe('attest with an archive, in several runs', () => {
  it('refuses a manifest with an invalid line', async () => {
    const archive = new Archive(api, articles(2));
    await archive.attest();
    appendFileSync(archive.path('imprimatur.lock.jsonl'), 'x\n');
    await expectError(archive.attest(), 2, /line 3 of .*imprimatur.lock.jsonl is not a valid manifest line/);
  });

  it('refuses a second run at the same time', async () => {
    const archive = new Archive(api, articles(2));
    const running = archive.path('imprimatur.lock.jsonl.running');
    let second: Awaited<ReturnType<Archive['attest']>> | undefined;
    const ask = async () => {
      second = await archive.attest();
      return 'y';
    };
    await archive.attest([], { ask });
    expect(second).toMatchObject({ exitCode: 2, error: expect.stringContaining(`remove ${running}`) });
    archive.expectComplete(2);
  });

  it('loses nothing, and repeats few requests, when it is killed several times', async () => {
    const archive = new Archive(api, articles(200));
    const argv = ['attest', archive.folder, '--yes', '--manifest', archive.path('imprimatur.lock.jsonl')];
    const env = { ...process.env, IMPRIMATUR_URL: api.url, IMPRIMATUR_API_KEY: apiKey };
    for (const after of [30, 90, 150]) {
      const child = spawn(process.execPath, [`${checkout}/packages/cli/src/main.ts`, ...argv], {
        env,
        stdio: 'ignore',
      });
      api.fault = () => {
        if (api.posts.length >= after) child.kill('SIGKILL');
        return undefined;
      };
      await new Promise((resolve) => child.on('exit', resolve));
    }
    api.fault = () => undefined;
    expect((await archive.attest()).exitCode).toBe(0);
    archive.expectComplete(200);
    // At most the requests that were pending at each kill are repeated.
    expect(api.posts.length).toBeLessThan(200 + 3 * 20);
  });
});
