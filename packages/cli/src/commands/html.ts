import { type Command, Option } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import {
  type AttestationReference,
  badgeWords,
  formatReference,
  isPublicRegistry,
  parseProof,
  parseReference,
  proofPathOf,
  referencesInPage,
  textLinksOfPage,
} from 'imprimatur-verifier';
import { parseArticleUrl, referenceOption } from '../arguments.ts';
import { UsageInvalidError } from '../errors.ts';
import { readBytes, writeText } from '../files/read-content.ts';
import { fileExitCodes } from '../help.ts';
import { markPage } from '../marks/mark-page.ts';
import type { CommandResult, RunCommand, Session } from '../session.ts';

interface HtmlOptions {
  readonly reference?: string;
  readonly proof?: string;
  readonly text?: string;
  readonly reader?: string;
  readonly badge: string;
  readonly correction?: string;
  readonly out?: string;
  readonly check?: true;
}

const help = helpText({
  notes: `Adds the reference to the page's JSON-LD, a link to the exact text (--text) and
a badge that opens the page for readers (--reader). For the public registry, the
article also gets data-indelible. Existing marks are updated; all other bytes
stay unchanged. Works offline.`,
  examples: [
    'imprimatur html article.html --text article.txt --out article.html',
    'imprimatur html article.html --check',
  ],
  exitCodes: { ...fileExitCodes, 1: '--check: the marks are missing or different' },
});

export function html(program: Command, run: RunCommand): void {
  program
    .command('html')
    .description('Mark a page with the attestation of its article.')
    .argument('<page>', 'HTML page, or - for stdin')
    .addOption(referenceOption())
    .option('--proof <file>', 'proof file of the article (default: article.proof.json)')
    .option('--text <address>', 'URL or path of the exact text, for a link')
    .option('--reader <url>', 'URL of the page for readers, for a badge', parseArticleUrl)
    .option('--badge <words>', 'text of the badge', badgeWords)
    .option('--correction <url>', 'URL of the article that corrects this one', parseArticleUrl)
    .addOption(new Option('--out <file>', 'output file (default: stdout)').conflicts('check'))
    .option('--check', 'only check the marks')
    .addHelpText('after', help)
    .action((path: string, options: HtmlOptions) => run((session) => mark(session, path, options)));
}

async function referenceOf(path: string, { reference, proof }: HtmlOptions) {
  if (reference !== undefined) return parseReference(reference);
  if (path === '-' && proof === undefined)
    throw new UsageInvalidError('no attestation given; pass --reference or --proof');
  return parseProof(await readBytes(proof ?? proofPathOf(path))).reference;
}

/** Decodes each byte as one character, so that any encoding based on ASCII survives. @throws UsageInvalidError */
function readSource(bytes: Uint8Array): { byteOrderMark: string; source: string } {
  const text = Buffer.from(bytes).toString('latin1');
  if (/^(\xff\xfe|\xfe\xff)/.test(text))
    throw new UsageInvalidError('the page is in UTF-16; convert it to UTF-8 first');
  const [byteOrderMark = ''] = /^\xef\xbb\xbf/.exec(text) ?? [];
  return { byteOrderMark, source: text.slice(byteOrderMark.length) };
}

/** Checks that verifiers, which scan pages in a simple way, can read the reference. @throws UsageInvalidError */
function checkReadable(page: Uint8Array, reference: AttestationReference) {
  const { references } = referencesInPage(new TextDecoder().decode(page));
  const isReadable =
    references.length === 1 &&
    references.some((item) => formatReference(item) === formatReference(reference));
  if (!isReadable)
    throw new UsageInvalidError(
      'verifiers cannot read the reference in this page; check for an unclosed comment or script',
    );
}

/** Lists problems that readers of a saved copy would have. */
function findProblems(page: Uint8Array): string[] {
  const links = textLinksOfPage(new TextDecoder().decode(page));
  if (links.length === 0) return ['the page links to no exact text, which readers need; pass --text'];
  if (links.length > 1) return ['the page links to several texts; readers cannot see which one is attested'];
  if (links.every(({ url }) => url !== undefined)) return [];
  return [
    'a saved copy of the page does not lead to the text; pass an https URL with --text, or add a canonical URL to the page',
  ];
}

async function mark(session: Session, path: string, options: HtmlOptions): Promise<CommandResult> {
  const reference = await referenceOf(path, options);
  const bytes = path === '-' ? await session.readInput() : await readBytes(path);
  const { byteOrderMark, source } = readSource(bytes);
  const page = markPage(source, {
    reference: formatReference(reference),
    publicReference: isPublicRegistry(reference.chainId, reference.registryAddress) ? reference : undefined,
    text: options.text,
    reader: options.reader?.split('#')[0],
    badgeText: options.badge,
    correction: options.correction,
  });
  const marked = Buffer.from(byteOrderMark + page, 'latin1');
  checkReadable(marked, reference);
  const changed = page !== source;
  const json = { reference: formatReference(reference), changed, page: options.out ?? null };
  if (options.check)
    return {
      json,
      text: `the marks in ${path} are ${changed ? 'missing or different' : 'up to date'}`,
      exitCode: changed ? 1 : 0,
    };
  const notes = findProblems(marked);
  if (options.out === undefined) return { json, text: '', bytes: marked, notes };
  await writeText(options.out, marked);
  return { json, text: `wrote ${options.out}${changed ? '' : ', without changes'}`, notes };
}
