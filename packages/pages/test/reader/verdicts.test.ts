import { formatReference } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { axeViolations } from '../open-page.ts';
import { linkingPage, proofFile, quoteFile, textFile, texts } from './attested.ts';
import { attested, browser, type EnteredInput, ReaderPage, reader, setUpReader } from './reader-page.ts';
import { shownVerdicts, showVerdict } from './shown-verdicts.ts';

setUpReader();

/** Checks with the chain's node as the reader's own provider. */
const verdictOf = (input: EnteredInput) => reader.check({ rpc: attested.rpcUrl, ...input });

/** Expects requests only to the provider. */
function expectOnlyRequests(url: string): void {
  expect([...new Set(reader.opened.requested.map((request) => new URL(request).host))]).toEqual([
    new URL(url).host,
  ]);
  expect(reader.opened.consoleMessages).toEqual([]);
}

/** One width for each color scheme, because they do not affect each other. */
const appearances = [
  { colorScheme: 'light', width: 375 },
  { colorScheme: 'dark', width: 900 },
] as const;

test('each verdict has its texts, no axe violation and no overflow, in light and dark and on a phone', async () => {
  for (const verdict of await shownVerdicts(attested)) {
    const opened = await ReaderPage.open(browser);
    const { page } = opened;
    const [name, , title, summary] = verdict;
    expect(await showVerdict(opened, verdict)).toEqual({
      title: expect.stringMatching(new RegExp(`^${title}`)),
      summary: expect.stringContaining(summary),
    });
    for (const summary of await page.locator('summary').all()) await summary.click();
    for (const { colorScheme, width } of appearances) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      const appearance = { verdict: name, colorScheme, width };
      expect({ ...appearance, overflow, violations: await axeViolations(page) }).toEqual({
        ...{ ...appearance, overflow: 0, violations: [] },
      });
    }
    await opened.close();
  }
});

test('the attested text is unchanged, and its signer unknown', async () => {
  const { file } = await proofFile(attested, attested.unchanged, texts.unchanged);
  const { title } = await verdictOf({ files: [textFile(texts.unchanged), file] });
  expect(title).toMatch(/^Unchanged since \d+ \w+ \d{4} Signer unknown$/);
  const facts = await reader.facts();
  for (const fact of [
    'blocks deep; final',
    'AttestationRegistry 2',
    attested.unchanged.authorityAddress,
    'Nobody attested the same content earlier in this registry',
    'None: this is the newest version.',
    'A provider learned which attestation you checked',
  ])
    expect(facts).toContain(fact);
  expectOnlyRequests(attested.rpcUrl);
});

test('a corrected text links to the newest version', async () => {
  await verdictOf({ text: texts.corrected, reference: attested.corrected });
  await reader.page.locator('.corrections a').click();
  const { title: newest } = await verdictOf({ text: texts.newest });
  expect(newest).toContain('Unchanged since');
});

test('corrections are found in newer registries and in those that the reader enters', async () => {
  const input = { text: texts.elsewhere, reference: attested.elsewhere };
  expect((await verdictOf(input)).title).toBe('Corrected: there is a newer version');
  const link = reader.page.locator('.corrections a');
  expect(await link.getAttribute('href')).toBe(`#${formatReference(attested.unchanged)}`);
  await reader.page.getByRole('button', { name: 'Change the input' }).click();
  await reader.page.getByText('Search other registries for corrections').click();
  const field = reader.page.getByLabel('Other registries');
  await field.fill(attested.registry.address.replace('0x', '0y'));
  expect(await verdictOf({})).toMatchObject({
    title: 'problem',
    summary: expect.stringMatching(/^Not checked\. Other registries: a registry must be an address/),
  });
  await field.fill(`0x${'5'.repeat(40)}\n${attested.registry.address}`);
  expect((await verdictOf({})).title).toContain('Corrected');
  expect(await reader.facts()).toContain(`0x${'5'.repeat(40)}`);
});

test('an altered text shows later revocations and corrections', async () => {
  const revoked = { text: texts.revoked.trimEnd(), reference: attested.revoked };
  expect((await verdictOf(revoked)).title).toMatch(
    /^Same words, different line endings Revoked on \d+ \w+ \d{4}$/,
  );
  expect(await reader.page.locator('.verdict.bad').count()).toBe(1);
  expect(await reader.page.getByRole('status').textContent()).toContain('Revoked on');
  await reader.page.getByRole('button', { name: 'Change the input' }).click();
  const corrected = { text: `\ufeff${texts.corrected}`, reference: attested.corrected };
  expect((await verdictOf(corrected)).title).toBe(
    'Not exactly the attested text Corrected: there is a newer version',
  );
  expect(await reader.page.locator('.verdict.warn').count()).toBe(1);
  await reader.page.getByRole('button', { name: 'Change the input' }).click();
  const another = { text: 'Another text.', reference: attested.revoked };
  expect((await verdictOf(another)).title).toMatch(/^Not the attested text Revoked on /);
});

test('an earlier attestation of the same content by another authority is shown', async () => {
  await verdictOf({ text: texts.second, reference: attested.second });
  expect(await reader.facts()).toContain('attested the same content first');
});

test('a verified quote shows its pieces', async () => {
  const file = quoteFile(attested.unchanged, texts.unchanged, 'Engineers found cracks … and did nothing.');
  const { title } = await verdictOf({ files: [file] });
  expect(title).toMatch(/^Stated on .* Signer unknown$/);
  expect(await reader.page.locator('blockquote').textContent()).toBe(
    'Engineers found cracks […] and did nothing.',
  );
  expectOnlyRequests(attested.rpcUrl);
});

test.each([
  ['was corrected', 'Its text was corrected', () => attested.corrected, texts.corrected],
  ['was revoked', 'Its text was revoked by the authority', () => attested.revoked, texts.revoked],
  ['is another one', 'Its text is not the attested one', () => attested.unchanged, 'Another text.\n'],
  [
    'has other line endings',
    'Its text has the same words but different line endings',
    () => attested.unchanged,
    texts.unchanged.replaceAll('\n', '\r\n'),
  ],
  [
    'has an extra space',
    'Its text is not exactly the attested one',
    () => attested.unchanged,
    texts.unchanged.replace(' spring\n', ' spring \n'),
  ],
] as const)('a page whose text %s gets this title', async (_, title, reference, text) => {
  const files = [linkingPage(reference(), { href: 'https://news.example/texts/1.txt' }), textFile(text)];
  expect((await verdictOf({ files })).title).toContain(title);
  expect(await reader.page.getByRole('status').textContent()).toContain(title);
});

test('a proof file is checked against a block hash without requests', async () => {
  const { file, proof } = await proofFile(attested, attested.unchanged, texts.unchanged);
  const blockHash = proof.storage?.block.hash ?? '';
  await reader.check({ files: [textFile(texts.unchanged), file], blockHash });
  const facts = await reader.facts();
  expect(facts).toContain(`This is valid only if ${blockHash} is block`);
  expect(facts).toContain('None. Your input has not left this page.');
  expect(reader.opened.requested).toEqual([]);
});
