import { expect, test } from 'vitest';
import { Archive } from './archive.ts';
import { UnkindApi } from './unkind-api.ts';

/** Attests a file that has these texts one after the other, and links corrections. @returns the child of each text */
async function childrenAfter(history: string, linksAtOnce: boolean): Promise<Map<string, string>> {
  const api = await UnkindApi.start();
  const archive = new Archive(api, {});
  for (const [at, text] of [...history].entries()) {
    archive.write('a.md', text);
    const links = linksAtOnce || at === history.length - 1;
    const { exitCode } = await archive.attest(links ? ['--yes', '--link-corrections'] : ['--yes']);
    expect(exitCode).toBe(0);
  }
  // In the order in which each text was attested first.
  const texts = [...new Set(history)];
  const textOf = (id: string) => texts[api.attestations.findIndex((one) => one.id === id)] ?? '';
  // An attestation has one child: the last one.
  return new Map(api.links.map(([old, child]) => [textOf(old), textOf(child)]));
}

/** Where a reader of a text is led. */
function lastFrom(text: string, children: ReadonlyMap<string, string>): string {
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
    for (const text of history) expect([text, lastFrom(text, children)]).toEqual([text, newest]);
  },
);

test.each([
  ['ABA', [['A', 'B']]],
  [
    'ABCA',
    [
      ['A', 'B'],
      ['B', 'C'],
    ],
  ],
  ['ABAB', [['A', 'B']]],
  [
    'ABCBA',
    [
      ['A', 'B'],
      ['B', 'C'],
    ],
  ],
])('links nothing of %s to a text that is older', async (history, children) => {
  expect([...(await childrenAfter(history, true))]).toEqual(children);
});

test('a text that returns is linked once the file has another, and the manifest says what is left', async () => {
  const api = await UnkindApi.start();
  const archive = new Archive(api, { 'a.md': 'A' });
  await archive.attest();
  archive.write('a.md', 'B');
  await archive.attest(['--yes', '--link-corrections']);
  archive.write('a.md', 'A');
  const returned = await archive.attest(['--yes', '--link-corrections', '--json']);
  const [a, b] = api.attestations.map(({ id }) => id);
  const notes = [`a.md: its text is again one from before ${b}: not linked`];
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

test('a file that takes over the text of another, and has a third then, is linked from its own alone', async () => {
  const api = await UnkindApi.start();
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
