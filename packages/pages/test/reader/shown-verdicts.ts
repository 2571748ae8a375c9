import { fileOf as authoritiesFile, signedEntry } from '../../../verifier/test/publisher/entries.ts';
import { type Attested, linkingPage, pageFile, proofFile, quoteFile, textFile, texts } from './attested.ts';
import type { EnteredInput, ReaderPage } from './reader-page.ts';

/** Input, and start of the title and part of the summary of its verdict. */
export type ShownVerdict = readonly [name: string, input: EnteredInput, title: string, summary: string];

/** Makes input for each kind of verdict, and for an error. In the first one, the domain `example.org` vouches. */
export async function shownVerdicts(attested: Attested): Promise<readonly ShownVerdict[]> {
  const { unchanged, corrected, revoked, misquoted, rpcUrl: rpc } = attested;
  const { file, proof } = await proofFile(attested, unchanged, texts.unchanged);
  const files = [textFile(texts.unchanged), file];
  const blockHash = proof.storage?.block.hash ?? '';
  const quote = quoteFile(unchanged, texts.unchanged, 'Engineers found cracks … and did nothing.');
  const windowsFile = textFile(texts.unchanged.replaceAll('\n', '\r\n'));
  const missing = { ...unchanged, attestationIndex: 99 };
  const page = linkingPage(unchanged, { href: 'https://news.example/texts/1.txt' });
  const unknownPage = 'It is unknown whether the page has the attested text';
  return [
    ['vouched', { files, rpc }, 'Unchanged since', 'Byte for byte'],
    ['verified', { files, rpc }, 'Unchanged since', 'It is unknown whose address'],
    ['offline', { files, blockHash }, 'Unchanged since', 'Byte for byte'],
    ['superseded', { text: texts.corrected, reference: corrected, rpc }, 'Corrected', 'The newest version'],
    ['revoked', { text: texts.revoked, reference: revoked, rpc }, 'Revoked', 'Do not rely on the text'],
    ['altered', { text: 'Another.', reference: unchanged, rpc }, 'Not the attested', 'a different text'],
    ['similar', { files: [windowsFile], reference: unchanged, rpc }, 'Same words', 'yours has CR LF'],
    ['misquoted', { text: texts.misquoted, reference: misquoted, rpc }, 'Not verified', 'its quote root'],
    ['not-found', { reference: missing, rpc }, 'No such attestation', ''],
    ['unknown', { reference: unchanged, rpc: 'http://127.0.0.1:1' }, 'Unknown', 'no evidence for or against'],
    ['page', { files: [pageFile(unchanged)], rpc }, 'Unknown', unknownPage],
    ['linking-page', { files: [page], rpc }, 'Unknown', unknownPage],
    [
      'text-of-page',
      { files: [textFile(texts.unchanged), page], rpc },
      'Its text is unchanged',
      'the text of the page',
    ],
    ['quote', { files: [quote], rpc }, 'Stated on', 'word for word'],
    ['valid', { reference: unchanged, rpc }, 'Attested, but no text', 'the attestation is valid'],
    ['problem', { reference: 'nonsense', rpc }, 'problem', 'The reference is invalid'],
  ];
}

/** Shows this verdict on a new page. @returns title and summary of the first result */
export async function showVerdict(reader: ReaderPage, [name, input]: ShownVerdict) {
  const result = await reader.check(input);
  if (name !== 'vouched') return result;
  const { page } = reader;
  // Signed by the author of the attested articles.
  const entry = await signedEntry('example.org', 1, { chainIds: [31_337], since: '2020-01-01T00:00:00Z' });
  const answer = { body: authoritiesFile(entry), headers: { 'access-control-allow-origin': '*' } };
  await page.route('https://example.org/.well-known/*', (route) => route.fulfill(answer));
  await page.getByLabel('Domain of the publisher').fill('example.org');
  await page.getByRole('button', { name: 'Check the domain' }).click();
  await page.locator('.verdict.good').waitFor();
  return result;
}
