import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import {
  type AttestationReference,
  AttestedText,
  isFoundByPublicTools,
  isPublicRegistry,
  ProofInvalidError,
  parseProof,
  parseReference,
  proofPathOf,
  type QuoteProof,
  quoteElement,
  verify,
} from 'imprimatur-verifier';
import { collect, referenceOption } from '../arguments.ts';
import { CommandError, UsageInvalidError } from '../errors.ts';
import { readBytes, readContent, writeText } from '../files/read-content.ts';
import { commonExitCodes } from '../help.ts';
import type { RunCommand, Session } from '../session.ts';

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
characters on either side. Readers can check it without the text. This command
does not contact the service.`,
  examples: [
    "imprimatur quote article.txt 'the bridge is safe' --out quote.json",
    "imprimatur quote article.txt 'the bridge … is safe' --reference eip155:…",
  ],
  exitCodes: { ...commonExitCodes, 1: 'failed; for example, the passage is not in the text' },
});

export function quote(program: Command, run: RunCommand): void {
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
      run((session) => makeQuote(session, path, passages, options)),
    );
}

async function makeQuote(session: Session, path: string, passages: readonly string[], options: QuoteOptions) {
  const content = await readContent(path, session);
  const { reference, quoteRoot, notes } = await findAttestation(path, options);
  const [passage = '', ...others] = passages;
  const quote = new AttestedText(reference, content, quoteRoot).quote(others.length > 0 ? passages : passage);
  const file = options.html ? toHtml(quote) : { text: `${JSON.stringify(quote, undefined, 2)}\n`, notes: [] };
  const allNotes = [...notes, ...disclosureNotes(quote), ...file.notes];
  if (options.out === undefined) return { json: quote, text: file.text.trimEnd(), notes: allNotes };
  await writeText(options.out, file.text);
  return { json: quote, text: `wrote ${options.out}`, notes: allNotes };
}

/** Reads the reference, and the quote root from the chain or, without providers, from the proof file. */
async function findAttestation(path: string, options: QuoteOptions) {
  const { reference, quoteRoot } =
    options.reference === undefined
      ? await readProofFile(path, options)
      : { reference: parseReference(options.reference), quoteRoot: undefined };
  if (options.rpc) return { reference, ...(await readQuoteRoot(reference, options.rpc)) };
  const note = 'the quote root was not compared with the registry; to compare it, pass --rpc';
  return { reference, quoteRoot, notes: quoteRoot === undefined ? [note] : [] };
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

async function readQuoteRoot(reference: AttestationReference, providers: readonly string[]) {
  const { attestation, outcome, reason } = await verify(reference, { providers });
  if (!attestation) throw new CommandError(reason);
  const notes = outcome === 'revoked' ? [`readers will not see this as verified: ${reason}`] : [];
  return { quoteRoot: attestation.quoteRoot, notes };
}

function disclosureNotes({ proof, segments }: QuoteProof): string[] {
  const revealed = proof.reduce((units, { value: [, chunk] }) => units + chunk.length, 0);
  const extra = revealed - segments.reduce((units, { text }) => units + text.length, 0);
  return extra === 0 ? [] : [`the proof also reveals ${extra} characters around the quoted words`];
}

/** Makes the HTML element, with a note if public tools will not show the quote as verified. */
function toHtml(quote: QuoteProof) {
  if (!isPublicRegistry(quote.chainId, quote.registryAddress))
    throw new UsageInvalidError(
      '--html works for the public registry only, because public tools read quotes only there',
    );
  const note =
    'public tools will not show this as verified; quote one passage at a time, without line endings';
  return { text: quoteElement(quote), notes: isFoundByPublicTools(quote) ? [] : [note] };
}
