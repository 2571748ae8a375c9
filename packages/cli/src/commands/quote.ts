import type { Command } from 'commander';
import { isPublicRegistry, type QuoteProof } from 'imprimatur-verifier';
import { collect, referenceOption } from '../arguments.ts';
import { UsageInvalidError } from '../errors.ts';
import { readContent, writeText } from '../files/read-content.ts';
import { quoteElement } from '../marks/quote-element.ts';
import { type AttestationChoice, provePassage } from '../quoting/prove-passage.ts';
import type { Act, CommandAnswer, Session } from '../session.ts';

interface QuoteChoice extends AttestationChoice {
  readonly out?: string;
  readonly html?: true;
}

const explanation = `
The passage must stand in the file exactly so. … or ... or anything in [square brackets] stands for what is left out;
several passages are pieces in their order, each taken as it is. Readers check the proof without the file.

With --html it is an element for a page, with the proof in data-indelible-quote: the public interface's form, in which public
tools look for quotes in the public registry, and so for quotes of that alone.

The proof shows the words around the passage too, up to 45 characters on either side. The service is not asked.`;

export function quote(program: Command, act: Act): void {
  program
    .command('quote')
    .description('Prove that a passage is in an attested text.')
    .argument('<file>', 'the text, exactly as attested, or - for standard input')
    .argument('<passage...>', 'the quoted words')
    .option('--out <file>', 'write the proof to a file')
    .option('--html', 'make an element for a page, with the proof in it')
    .addOption(referenceOption())
    .option('--proof <file>', "the text's proof file (default: the one beside it, article.proof.json)")
    .option('--rpc <url>', 'read the quote root from the chain; may be given several times', collect)
    .addHelpText('after', explanation)
    .action((path: string, passages: string[], choice: QuoteChoice) =>
      act((session) => make(session, path, passages, choice)),
    );
}

async function make(
  session: Session,
  path: string,
  passages: readonly string[],
  choice: QuoteChoice,
): Promise<CommandAnswer> {
  const content = await readContent(path, session);
  const { quote, notes } = await provePassage(path, content, passages, choice);
  const form = choice.html ? inPage(quote) : { text: `${JSON.stringify(quote, undefined, 2)}\n`, notes: [] };
  const all = [...notes, ...form.notes];
  if (choice.out === undefined) return { json: quote, text: form.text.trimEnd(), notes: all };
  await writeText(choice.out, form.text);
  return { json: quote, text: `the proof is in ${choice.out}`, notes: all };
}

function inPage(quote: QuoteProof) {
  if (!isPublicRegistry(quote.chainId, quote.registryAddress))
    throw new UsageInvalidError(
      'data-indelible-quote names no registry, and public tools would look in the public one: --html is for quotes of that alone',
    );
  const { html, isSeen } = quoteElement(quote);
  const unseen =
    'public tools that compare the words will not show it as verified: quote one passage without line ends, or several one by one';
  return { text: html, notes: isSeen ? [] : [unseen] };
}
