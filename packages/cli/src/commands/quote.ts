import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import {
  type AttestationReference,
  AttestedText,
  isPublicRegistry,
  ProofInvalidError,
  parseProof,
  parseReference,
  proofPathOf,
  type QuoteProof,
  verify,
} from 'imprimatur-verifier';
import { collect, referenceOption } from '../arguments.ts';
import { CommandError, UsageInvalidError } from '../errors.ts';
import { readBytes, readContent, writeText } from '../files/read-content.ts';
import { escapeHtml } from '../marks/page.ts';
import type { Act, Session } from '../session.ts';

interface QuoteOptions {
  readonly reference?: string;
  readonly proof?: string;
  readonly rpc?: readonly string[];
  readonly out?: string;
  readonly html?: true;
}

const help = helpText({
  notes: `The passage must match the text exactly. Write … or ... or [anything] for an
omission, or pass several passages in order. The proof also reveals up to 45
characters on either side. Readers check it without the text. Does not contact
the service.`,
  examples: [
    "imprimatur quote article.txt 'the bridge is safe' --out quote.json",
    "imprimatur quote article.txt 'the bridge … is safe' --reference eip155:…",
  ],
});

export function quote(program: Command, act: Act): void {
  program
    .command('quote')
    .description('Prove that a passage is in an attested text.')
    .argument('<file>', 'exact text, or - for stdin')
    .argument('<passage...>', 'quoted words')
    .option('--out <file>', 'output file (default: stdout)')
    .option('--html', 'print an HTML element with the proof; public registry only')
    .addOption(referenceOption())
    .option('--proof <file>', 'proof file of the text (default: article.proof.json)')
    .option('--rpc <url>', 'RPC provider for the quote root; repeatable', collect)
    .addHelpText('after', help)
    .action((path: string, passages: string[], options: QuoteOptions) =>
      act((session) => make(session, path, passages, options)),
    );
}

async function make(session: Session, path: string, passages: readonly string[], options: QuoteOptions) {
  const content = await readContent(path, session);
  const { reference, quoteRoot, notes } = await findAttestation(path, options);
  const [passage = '', ...others] = passages;
  const quote = new AttestedText(reference, content, quoteRoot).quote(others.length > 0 ? passages : passage);
  const form = options.html ? inPage(quote) : { text: `${JSON.stringify(quote, undefined, 2)}\n`, notes: [] };
  const all = [...notes, ...disclosure(quote), ...form.notes];
  if (options.out === undefined) return { json: quote, text: form.text.trimEnd(), notes: all };
  await writeText(options.out, form.text);
  return { json: quote, text: `wrote ${options.out}`, notes: all };
}

/** Reads the reference, and the quote root from the chain or, without providers, from the proof file. */
async function findAttestation(path: string, options: QuoteOptions) {
  const { reference, quoteRoot } =
    options.reference === undefined
      ? await readProofFile(path, options)
      : { reference: parseReference(options.reference), quoteRoot: undefined };
  if (options.rpc) return { reference, ...(await askChain(reference, options.rpc)) };
  const unknown = 'the quote root was not compared with the registry; to compare it, pass --rpc';
  return { reference, quoteRoot, notes: quoteRoot === undefined ? [unknown] : [] };
}

async function readProofFile(articlePath: string, { proof }: QuoteOptions) {
  const path = proof ?? proofPathOf(articlePath);
  if (proof === undefined && !existsSync(path))
    throw new UsageInvalidError(`no attestation given; pass --reference or --proof (${path} does not exist)`);
  try {
    const { reference, content } = parseProof(await readBytes(path));
    return { reference, quoteRoot: content.quoteRoot };
  } catch (error) {
    if (!(error instanceof ProofInvalidError)) throw error;
    throw new UsageInvalidError(`${path} is not a valid proof file: ${error.message}`);
  }
}

async function askChain(reference: AttestationReference, providers: readonly string[]) {
  const { attestation, outcome, reason } = await verify(reference, { providers });
  if (!attestation) throw new CommandError(reason);
  const notes = outcome === 'revoked' ? [`readers will not see this as verified: ${reason}`] : [];
  return { quoteRoot: attestation.quoteRoot, notes };
}

function disclosure({ proof, segments }: QuoteProof): string[] {
  const shown = proof.reduce((units, { value: [, chunk] }) => units + chunk.length, 0);
  const beside = shown - segments.reduce((units, { text }) => units + text.length, 0);
  return beside === 0 ? [] : [`the proof also reveals ${beside} characters around the quoted words`];
}

/** Makes the HTML element, and a note if public tools would not show the quote as verified. */
function inPage(quote: QuoteProof) {
  if (!isPublicRegistry(quote.chainId, quote.registryAddress))
    throw new UsageInvalidError(
      '--html works for the public registry only, because public tools read quotes only there',
    );
  const words = quote.segments.map(({ text }) => text).join(' … ');
  const proof = escapeHtml(JSON.stringify(quote));
  const text = `<blockquote data-indelible-quote="${proof}">${escapeHtml(words)}</blockquote>\n`;
  // Public tools collapse white space and search for the words in the proven chunks.
  const proven = quote.proof.map(({ value: [, chunk] }) => chunk).join('');
  const isSeen = proven.includes(words.replaceAll(/\s+/g, ' ').trim());
  const unseen = 'public tools will not show this as verified; quote one passage without line ends at a time';
  return { text, notes: isSeen ? [] : [unseen] };
}
