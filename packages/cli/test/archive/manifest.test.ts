import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { FakeTime } from '../../../client/test/fake-api.ts';
import { makeFormatter } from '../../src/archive/archive-progress.ts';
import { lockManifest, type ManifestEntry, openManifest, readManifest } from '../../src/archive/manifest.ts';
import type { Waiting } from '../../src/archive/shared-retry.ts';
import { directoryWith } from '../run.ts';
import { Archive, articles, FaultyApi } from './faulty-api.ts';

const scope = { chainId: 31337, authorityAddress: '0xa' };

const entry = (file: string, status: ManifestEntry['status'] = 'pending'): ManifestEntry => ({
  ...{ file, contentCid: 'b', id: `id-${file}`, status },
});

const pathOf = () => directoryWith({})('m.jsonl');

const filesIn = async (path: string) => [...(await readManifest(path, scope)).entries.keys()];

test('`put` writes an entry immediately', async () => {
  const path = pathOf();
  const manifest = await openManifest(path, scope);
  await Promise.all([manifest.put([entry('b'), entry('a')]), manifest.put([entry('c')])]);
  expect(await filesIn(path)).toEqual(['b', 'a', 'c']);
  await manifest.close();
});

test('an entry after a line that a crash cut off is not lost', async () => {
  const path = pathOf();
  const first = await openManifest(path, scope);
  await first.put([entry('a')]);
  appendFileSync(path, readFileSync(path, 'utf8').slice(0, 20));
  const second = await openManifest(path, scope);
  await second.put([entry('b')]);
  // A process that is killed here closes nothing.
  expect(await filesIn(path)).toEqual(['a', 'b']);
  await first.close();
  await second.close();
});

test('of several lines of an article, the last one counts, and `close` writes one line per file in order', async () => {
  const path = pathOf();
  const manifest = await openManifest(path, scope);
  await manifest.put([entry('b'), entry('a'), entry('b', 'confirmed')]);
  expect((await readManifest(path, scope)).entries.get('b')).toMatchObject({ status: 'confirmed' });
  await manifest.close();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...entry('a'), ...scope },
    { ...entry('b', 'confirmed'), ...scope },
  ]);
});

test('one run at a time holds the lock; the lock of a killed run is removed', async () => {
  const path = pathOf();
  const release = await lockManifest(path);
  await expect(lockManifest(path)).rejects.toThrow(`process ${process.pid} on ${hostname()} is using`);
  await release();
  // No process has such a high ID.
  writeFileSync(`${path}.running`, JSON.stringify({ pid: 2 ** 30, host: hostname() }));
  await (await lockManifest(path))();
  writeFileSync(`${path}.running`, JSON.stringify({ pid: 2 ** 30, host: 'another' }));
  await expect(lockManifest(path)).rejects.toThrow('process 1073741824 on another is using');
});

/** Attests a file with these texts in turn, and links corrections. @returns the child of each text */
async function childrenAfter(history: string, linksAtOnce: boolean): Promise<Map<string, string>> {
  const api = await FaultyApi.start();
  const archive = new Archive(api, {});
  for (const [at, text] of [...history].entries()) {
    archive.write('a.md', text);
    const links = linksAtOnce || at === history.length - 1;
    const { exitCode } = await archive.attest(links ? ['--yes', '--link-corrections'] : ['--yes']);
    expect(exitCode).toBe(0);
  }
  // In the order of first attestation.
  const texts = [...new Set(history)];
  const textOf = (id: string) => texts[api.attestations.findIndex((one) => one.id === id)] ?? '';
  // The last child of an attestation counts.
  return new Map(api.links.map(([old, child]) => [textOf(old), textOf(child)]));
}

/** The text to which links lead a reader. */
function lastLinked(text: string, children: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let last = text;
  for (let child = children.get(last); child !== undefined && !seen.has(child); child = children.get(last)) {
    seen.add(child);
    last = child;
  }
  return last;
}

const histories = ['ABC', 'ABAC', 'ABABC', 'ABCAD', 'ABCBD', 'ABACBD', 'ABACADBE'];

test.each(histories.flatMap((history) => [true, false].map((atOnce) => ({ history, atOnce }))))(
  'readers of any text of $history find the newest one (each run links: $atOnce)',
  async ({ history, atOnce }) => {
    const children = await childrenAfter(history, atOnce);
    const newest = history.at(-1);
    for (const text of history) expect([text, lastLinked(text, children)]).toEqual([text, newest]);
  },
);

test('a file that returns to an earlier text is linked after its next change, and the manifest records the missing link until then', async () => {
  const api = await FaultyApi.start();
  const archive = new Archive(api, { 'a.md': 'A' });
  await archive.attest();
  archive.write('a.md', 'B');
  await archive.attest(['--yes', '--link-corrections']);
  archive.write('a.md', 'A');
  const returned = await archive.attest(['--yes', '--link-corrections', '--json']);
  const [a, b] = api.attestations.map(({ id }) => id);
  const notes = [`a.md: not linked, because its text returned to a version that is older than ${b}`];
  expect([returned.exitCode, JSON.parse(returned.out)]).toEqual([0, expect.objectContaining({ notes })]);
  expect(archive.manifest).toMatchObject([{ id: a, corrects: [b] }]);
  expect(api.links).toEqual([[a, b]]);
  archive.write('a.md', 'C');
  await archive.attest(['--yes', '--link-corrections']);
  const c = api.attestations[2]?.id;
  expect(api.links.slice(1).toSorted()).toEqual([
    [a, c],
    [b, c],
  ]);
  expect(archive.manifest[0]).not.toHaveProperty('corrects');
});

test('a file that adopts the text of another file and then changes is linked only from its own text', async () => {
  const api = await FaultyApi.start();
  const archive = new Archive(api, { 'b.md': 'B' });
  await archive.attest();
  for (const text of ['A', 'B', 'C']) {
    archive.write('a.md', text);
    await archive.attest(['--yes', '--link-corrections']);
  }
  const [b, a, c] = api.attestations.map(({ id }) => id);
  expect(api.links).toEqual([[a, c]]);
  expect(archive.manifest).toMatchObject([{ id: c, corrects: [b] }, { id: b }]);
});

const retry: { waiting: Waiting | undefined } = { waiting: undefined };
const none = { total: 10_000, sent: 0, confirmed: 0, failed: 0 };

test('the progress line shows counts, the rate of the last minute and the time left', async () => {
  const clock = new FakeTime();
  const formatLine = makeFormatter(clock, retry, true);
  expect(formatLine(none, 80)).toBe('[--------------------]  0/10,000 sent  0 confirmed');
  await clock.sleep(60);
  expect(formatLine({ ...none, sent: 600 }, 80)).toBe(
    '[--------------------]  600/10,000 sent  0 confirmed  10/s  15 min 40 s left',
  );
  await clock.sleep(60);
  // In the last minute, 300 were sent and 60 confirmed, so confirmation takes longer.
  expect(formatLine({ ...none, sent: 900, confirmed: 60 }, 80)).toBe(
    '[--------------------]  900/10,000 sent  60 confirmed  5.0/s  2 h 46 min left',
  );
  await clock.sleep(60);
  expect(formatLine({ ...none, sent: 10_000, confirmed: 9_660, failed: 1 }, 80)).toBe(
    '[############-]  10,000/10,000 sent  9,660 confirmed  1 failed  160/s  3 s left',
  );
});

test('the progress line shows why requests wait, and omits a bar that does not fit', () => {
  retry.waiting = { reason: 'rate limit exceeded', seconds: 38_490 };
  const formatLine = makeFormatter(new FakeTime(), retry, true);
  const full = { total: 100_000, sent: 99_999, confirmed: 99_999, failed: 0 };
  expect(formatLine(full, 80)).toBe(
    '99,999/100,000 sent  99,999 confirmed  rate limit exceeded: retry in 10 h 42 min',
  );
  expect(formatLine({ ...none, sent: 5 }, 120)).toBe(
    '[--------------------]  5/10,000 sent  0 confirmed  rate limit exceeded: retry in 10 h 42 min',
  );
  retry.waiting = undefined;
});

test('a terminal shows the progress line; a pipe gets only the plan and the result', async () => {
  const api = await FaultyApi.start();
  const shown: string[] = [];
  const write = (text: string) => shown.push(text);
  await new Archive(api, articles(3)).attest(['--yes'], { errors: { isTTY: true, columns: 80, write } });
  expect(shown.join('')).toMatch(/\r.*3\/3 sent {2}3 confirmed/);
  const piped = await new Archive(api, { 'x.md': 'Another.' }).attest();
  expect(piped.error).toMatch(/^imprimatur: 1 file\n[^\r]*\n$/);
  expect(piped.error.split('\n').every((line) => line.length <= 80 || line.includes('/tmp/'))).toBe(true);
});
