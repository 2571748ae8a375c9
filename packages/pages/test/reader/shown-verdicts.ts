import type { Page } from 'playwright-core';
import { fileOf as authoritiesFile, signedEntry } from '../../../verifier/test/publisher/entries.ts';
import { type Attested, linkingPage, pageFile, proofFile, quoteFile, textFile, texts } from './attested.ts';
import type { Giving, ReaderPage } from './reader-page.ts';

/** Verdict that the page shows of what is given. */
export interface ShownVerdict {
  readonly name: string;
  readonly giving: Giving;
  /** The beginning of its title. */
  readonly title: string;
  /** Whether the domain `example.org` is asked, and vouches. */
  readonly vouches?: true;
}

/** A verdict of each kind, and the refusal of what cannot be checked. */
export async function shownVerdicts(attested: Attested): Promise<readonly ShownVerdict[]> {
  const { unchanged, corrected, withdrawn, misquoted, rpcUrl: rpc } = attested;
  const { file, proof } = await proofFile(attested, unchanged, texts.unchanged);
  const files = [textFile(texts.unchanged), file];
  const blockHash = proof.storage?.block.hash ?? '';
  const quote = quoteFile(unchanged, texts.unchanged, 'Engineers found cracks … and said nothing.');
  const windowsFile = textFile(texts.unchanged.replaceAll('\n', '\r\n'));
  const elsewhere = { ...unchanged, attestationIndex: 99 };
  const href = 'https://news.example/texts/1.txt';
  return [
    { name: 'vouched', giving: { files, rpc }, title: 'Unchanged since', vouches: true },
    { name: 'verified', giving: { files, rpc }, title: 'Unchanged since' },
    { name: 'offline', giving: { files, blockHash }, title: 'Unchanged since' },
    { name: 'superseded', giving: { text: texts.corrected, reference: corrected, rpc }, title: 'Corrected' },
    { name: 'revoked', giving: { text: texts.withdrawn, reference: withdrawn, rpc }, title: 'Withdrawn' },
    { name: 'altered', giving: { text: 'Another.', reference: unchanged, rpc }, title: 'Not the attested' },
    { name: 'similar', giving: { files: [windowsFile], reference: unchanged, rpc }, title: 'The same words' },
    {
      name: 'misquoted',
      giving: { text: texts.misquoted, reference: misquoted, rpc },
      title: 'Not verified',
    },
    { name: 'not-found', giving: { reference: elsewhere, rpc }, title: 'No such attestation' },
    { name: 'unknown', giving: { reference: unchanged, rpc: 'http://127.0.0.1:1' }, title: 'Unknown' },
    { name: 'page', giving: { files: [pageFile(unchanged)], rpc }, title: 'Unknown' },
    { name: 'linking-page', giving: { files: [linkingPage(unchanged, { href })], rpc }, title: 'Unknown' },
    {
      name: 'text-of-page',
      giving: { files: [textFile(texts.unchanged), linkingPage(unchanged, { href })], rpc },
      title: 'Its text is unchanged',
    },
    { name: 'quote', giving: { files: [quote], rpc }, title: 'Stated on' },
    { name: 'stands', giving: { reference: unchanged, rpc }, title: 'Attested, but no text' },
    { name: 'problem', giving: { reference: 'nonsense', rpc }, title: 'problem' },
  ];
}

/** Of the author, whose account it is in `startAttested`. */
const authorIndex = 1;

async function vouch(page: Page): Promise<void> {
  const entry = { chainIds: [31_337], since: '2020-01-01T00:00:00Z' };
  const body = authoritiesFile(await signedEntry('example.org', authorIndex, entry));
  const headers = { 'access-control-allow-origin': '*' };
  await page.route('https://example.org/.well-known/*', (route) => route.fulfill({ body, headers }));
  await page.getByLabel('Domain of the publisher').fill('example.org');
  await page.getByRole('button', { name: 'Ask it' }).click();
  await page.locator('.verdict.good').waitFor();
}

/** Brings a verdict about in a page that was just opened. @returns its title */
export async function showVerdict(reader: ReaderPage, { giving, vouches }: ShownVerdict): Promise<string> {
  const { title } = await reader.check(giving);
  if (vouches) await vouch(reader.page);
  return title;
}
