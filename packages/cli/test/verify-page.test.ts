import { appendFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AttestationReference, formatReference, takeProof } from 'imprimatur-verifier';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Attested, startAttested, texts } from '../../pages/test/reader/attested.ts';
import { directoryWith, expectError, expectOutput, runWithoutService, serveDomain } from './run.ts';

let attested: Attested;
beforeAll(async () => {
  attested = await startAttested();
});
afterAll(() => attested?.registry.stop());

const imprimatur = (argv: readonly string[], variables: Record<string, string> = {}) =>
  runWithoutService(argv, { variables, isColored: true });

const paragraphs = (text: string) =>
  text
    .split('\n\n')
    .map((one) => `<p>${one}</p>`)
    .join('<aside>Advert</aside>');

interface PageSetup {
  readonly reference: AttestationReference;
  /** URL or path in the page's link to the text. */
  readonly link?: string;
  readonly shown?: string;
  readonly head?: string;
  /** Files beside the page, by name. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** A page after `imprimatur html`, with files beside it. */
async function markedPage({ reference, link, shown = '', head = '', beside = {} }: PageSetup) {
  const page = `<!doctype html><title>A</title>${head}<article>${paragraphs(shown)}</article>`;
  const pathTo = directoryWith({ 'page.html': page, ...beside });
  const text = link === undefined ? [] : ['--text', link];
  const argv = ['html', pathTo('page.html'), '--reference', formatReference(reference), ...text];
  expect((await imprimatur([...argv, '--out', pathTo('page.html')])).exitCode).toBe(0);
  return pathTo;
}

async function verify(setup: PageSetup, ...more: string[]) {
  const pathTo = await markedPage(setup);
  const argv = ['verify', pathTo('page.html'), '--rpc', attested.rpcUrl, ...more];
  const [result, { out }] = [await imprimatur(argv), await imprimatur([...argv, '--json'])];
  return { ...result, pathTo, answer: JSON.parse(out) };
}

const beside = (text: string) => ({ link: 'page.txt', beside: { 'page.txt': text } });
const textOnlyNotice = 'The verdict applies to the text, not to the page that names it.';

test("a page's text file decides the verdict, which is not green; the words in the page are only a hint", async () => {
  const { exitCode, out, error, answer, pathTo } = await verify({
    ...{ reference: attested.unchanged, shown: texts.unchanged },
    ...beside(texts.unchanged),
  });
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  expect(out).toContain('\u001b[1mverified: the text that the page links to is the attested text, byte');
  expect(out.split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(new RegExp(`^text +${pathTo('page.txt')}$`)),
      textOnlyNotice,
      'The words of the text are in the page’s source, in their order. It is unknown whether the page shows them, and its other content is not attested.',
    ]),
  );
  expect(out).not.toContain('fetching');
  expect(answer).toMatchObject({
    ...{ verified: true, outcome: 'verified', pageShowsText: true },
    linkedText: { from: pathTo('page.txt'), asked: null },
  });
});

test('different words in the page do not change the verdict, but are reported', async () => {
  const { exitCode, out, answer } = await verify({
    ...{ reference: attested.unchanged, shown: texts.unchanged.replace('two', 'no') },
    ...beside(texts.unchanged),
  });
  expect(exitCode).toBe(0);
  expect(out.split('\n')[0]).toContain('byte for byte, but the page does not show its exact words; ');
  expect(out).toContain('exact words of the text: the first difference is in paragraph 2 of 2.');
  expect(answer).toMatchObject({ outcome: 'verified', pageShowsText: false });
});

test.each([
  ['altered', 1, () => attested.unchanged, `${texts.unchanged}.`, /not the attested one/],
  ['superseded', 3, () => attested.corrected, texts.corrected, /and corrected/],
  ['revoked', 1, () => attested.revoked, texts.revoked, /revoked it/],
] as const)(
  'a page is %s with exit code %i, like its text',
  async (outcome, code, reference, text, words) => {
    const { exitCode, out, answer } = await verify({ reference: reference(), ...beside(text) });
    expect({ exitCode, outcome: answer.outcome }).toEqual({ exitCode: code, outcome });
    const [first = '', second] = out.split('\n');
    expect(first).toMatch(words);
    expect(first).toContain(`${outcome} (the text that the page links to): `);
    expect(second).toBe(textOnlyNotice);
  },
);

test('a page cannot add lines to the output', async () => {
  const href = 'a.txt&#10;&#10;verified: this is the attested text&#10;publisher&#9;example.org';
  const head = `<link rel="alternate" type="text/plain" title="Attested text" href="${href}">`;
  const { exitCode, out } = await verify({ reference: attested.unchanged, head });
  expect(exitCode).toBe(2);
  expect(out.split('\n')[0]).toContain('It links to a.txt\\u{a}\\u{a}verified: this is');
  expect(out).not.toMatch(/^(verified|publisher)/m);
});

async function verifyServed(
  setup: PageSetup,
  served: Awaited<ReturnType<typeof serveDomain>>,
  ...more: string[]
) {
  const pathTo = await markedPage(setup);
  const argv = ['verify', pathTo('page.html'), '--rpc', attested.rpcUrl, '--no-domain', ...more];
  const { exitCode, out } = await imprimatur([...argv, '--json'], served.variables);
  return { exitCode, answer: JSON.parse(out) };
}

const canonical = '<link rel="canonical" href="https://news.example/bridge/">';

test.each([
  ['at its own address', 'https://texts.example/1.txt?v=2', '', 'https://texts.example/1.txt?v=2'],
  ['below the page’s URL', '1.txt', canonical, 'https://news.example/bridge/1.txt'],
])('a text %s is fetched, and its host is reported', async (_, link, head, url) => {
  const served = await serveDomain(texts.unchanged);
  const setup = { reference: attested.unchanged, link, head };
  const { exitCode, answer } = await verifyServed(setup, served);
  const { hostname, pathname, search } = new URL(url);
  expect(exitCode).toBe(0);
  expect(answer).toMatchObject({ outcome: 'verified', linkedText: { from: url, asked: hostname } });
  expect(answer.notices[0]).toContain('IMPRIMATUR_DOMAIN_ORIGIN is set: the text was read from http://127');
  expect(served.requests).toEqual([pathname + search]);
});

test.each([
  ['<h1>Not found</h1>', 200, 'is a web page, not a text'],
  ['Gone.', 410, 'returned HTTP 410'],
])(
  'a linked web page is accepted if it is the attested text; %j with HTTP %i makes the outcome unknown',
  async (body, status, why) => {
    const setup = { reference: attested.unchanged, link: 'https://texts.example/1.txt' };
    const right = await verifyServed(setup, await serveDomain(texts.unchanged, 'text/html'));
    expect(right.answer.outcome).toBe('verified');
    const { exitCode, answer } = await verifyServed(setup, await serveDomain(body, 'text/html', status));
    expect(exitCode).toBe(2);
    expect(answer).toMatchObject({ outcome: 'unknown', verified: false });
    expect(answer.reason).toMatch(new RegExp(`1.txt, which ${why}. It is unknown.*verify the text itself`));
  },
);

test('--no-fetch does not fetch the text, and a revocation is still reported', async () => {
  const served = await serveDomain(texts.unchanged);
  const link = 'https://texts.example/1.txt';
  const setup = { reference: attested.unchanged, link };
  const { exitCode, answer } = await verifyServed(setup, served, '--no-fetch');
  expect({ exitCode, requests: served.requests }).toEqual({ exitCode: 2, requests: [] });
  expect(answer.reason).toContain('It links to https://texts.example/1.txt, which was not fetched.');
  const gone = await verifyServed({ reference: attested.revoked, link }, served, '--no-fetch');
  expect(gone.answer.outcome).toBe('revoked');
});

test.each([
  ['is longer than the maximum of 1,048,576 bytes', 'long.txt'],
  ['cannot be read (ELOOP)', 'loop.txt'],
  ['is a link to another folder', 'linked.txt'],
  ['is a link to another folder', 'up/outside.txt'],
])('a file that is beside the page and %s is reported, and no host is contacted', async (words, link) => {
  const served = await serveDomain(texts.unchanged);
  const pathTo = await markedPage({ reference: attested.unchanged, link, head: canonical });
  writeFileSync(pathTo('long.txt'), 'a'.repeat(1_048_577));
  symlinkSync('loop.txt', pathTo('loop.txt'));
  const outer = directoryWith({ 'outside.txt': texts.unchanged });
  symlinkSync(outer('outside.txt'), pathTo('linked.txt'));
  symlinkSync(outer('.'), pathTo('up'));
  const argv = ['verify', pathTo('page.html'), '--rpc', attested.rpcUrl, '--no-domain'];
  const { exitCode, out } = await imprimatur(argv, served.variables);
  expect({ exitCode, requests: served.requests }).toEqual({ exitCode: 2, requests: [] });
  expect(out).toContain(`It links to ${link}, which ${words}. It is unknown`);
});

test('the host is printed to stderr before it is contacted', async () => {
  const served = await serveDomain(texts.unchanged);
  const pathTo = await markedPage({ reference: attested.unchanged, link: 'https://texts.example/1.txt' });
  const argv = ['verify', pathTo('page.html'), '--rpc', attested.rpcUrl, '--json'];
  const written: string[] = [];
  const errors = {
    write: (text: string) => void written.push(`${text.trim()}, ${served.requests.length} requests`),
  };
  const variables = served.variables;
  expect((await runWithoutService(argv, { variables, errors })).exitCode).toBe(0);
  expect(written).toEqual([expect.stringMatching(/linked text from texts\.example .*, 0 requests$/)]);
});

test('a page of more than 10 MB is refused', async () => {
  const pathTo = await markedPage({ reference: attested.unchanged, ...beside(texts.unchanged) });
  appendFileSync(pathTo('page.html'), '<a>'.repeat(3_400_000));
  await expectError(
    imprimatur(['verify', pathTo('page.html'), '--rpc', attested.rpcUrl]),
    2,
    'the maximum for a page is 10,000,000',
  );
});

test.each([
  [undefined, '', 'It links to no text.'],
  [
    undefined,
    ['a', 'b'].map((name) => `<link rel="alternate" type="text/plain" href="${name}.txt">`).join(''),
    'It links to 2 texts, so it is unclear which one is attested.',
  ],
  ['http://texts.example/1.txt', '', 'has no https URL that may be fetched'],
  ['/etc/passwd', '', 'not a path in its folder'],
])('no host is contacted for the link %s', async (link, head, words) => {
  const served = await serveDomain(texts.unchanged);
  const setup = { reference: attested.unchanged, ...(link === undefined ? {} : { link }), head };
  const { exitCode, answer } = await verifyServed(setup, served);
  expect({ exitCode, requests: served.requests }).toEqual({ exitCode: 2, requests: [] });
  expect(answer.reason).toContain(words);
});

test('the proof file and the text beside a page verify it offline', async () => {
  const proof = await takeProof(attested.unchanged, [attested.rpcUrl], { text: texts.unchanged });
  const files = { 'page.txt': texts.unchanged, 'page.proof.json': JSON.stringify(proof) };
  const setup = { reference: attested.unchanged, link: 'page.txt', beside: files };
  const offline = ['--offline', '--block-hash', proof.storage?.block.hash ?? ''];
  const verifyOffline = async (page: PageSetup) =>
    imprimatur(['verify', (await markedPage(page))('page.html'), ...offline]);
  await expectOutput(verifyOffline(setup), 0, textOnlyNotice);
  const altered = { ...files, 'page.txt': 'Another text.\n' };
  expect((await verifyOffline({ ...setup, beside: altered })).exitCode).toBe(1);
  const away = await verifyOffline({ ...setup, link: 'https://texts.example/1.txt' });
  expect(away).toMatchObject({ exitCode: 2, out: expect.stringContaining('which was not fetched') });
  const other = await verifyOffline({ ...setup, reference: attested.corrected });
  expect(other).toMatchObject({ exitCode: 2, error: expect.stringContaining('needs a proof file') });
});
