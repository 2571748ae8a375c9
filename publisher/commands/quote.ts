import { type Command, Option } from 'commander';
import { collect } from '../arguments.ts';
import { readContent } from '../files/read-content.ts';
import { writeText } from '../files/write-text.ts';
import { provePassage } from '../quoting/prove-passage.ts';
import type { AttestationChoice } from '../quoting/quoted-attestation.ts';
import type { Act, CommandAnswer, Session } from '../session.ts';

interface QuoteChoice extends AttestationChoice {
  readonly out?: string;
}

const explanation = `
The passage must stand in the file exactly so. … or ... or anything in [square brackets] stands for what is left out;
several passages are pieces in their order, each taken as it is. Readers check the proof without the file.

The proof shows the words around the passage too, up to 45 characters on either side. The service is not asked.`;

export function quote(program: Command, act: Act): void {
  program
    .command('quote')
    .description('Prove that a passage is in an attested text.')
    .argument('<file>', 'the text, exactly as attested, or - for standard input')
    .argument('<passage...>', 'the quoted words')
    .option('--out <file>', 'write the proof to a file')
    .addOption(
      new Option(
        '--reference <reference>',
        'the attestation: eip155:<chainId>:<registry>/<index>/…',
      ).conflicts('proof'),
    )
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
  const json = `${JSON.stringify(quote, undefined, 2)}\n`;
  if (choice.out === undefined) return { json: quote, text: json.trimEnd(), notes };
  await writeText(choice.out, json);
  return { json: quote, text: `the proof is in ${choice.out}`, notes };
}
