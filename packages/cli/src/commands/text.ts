import { type Command, Option } from 'commander';
import { exactTextProfile } from 'imprimatur-verifier';
import {
  hiddenNotes,
  readExactContent,
  sourceOf,
  type TextSource,
  textSources,
} from '../files/exact-content.ts';
import { contentCid, writeText } from '../files/read-content.ts';
import type { Act, CommandAnswer, Session } from '../session.ts';

interface TextChoice {
  readonly from?: TextSource;
  readonly out?: string;
}

const explanation = `
The profile imprimatur-text-1: UTF-8 without byte order mark, Unicode's normal form C, line ends LF, one at the end. Nothing
else is changed. Markdown stays as it is written. Of a page it is the text of the element with data-indelible, or else of
the first article, main or body: a paragraph for each block element, with an empty line between.

  imprimatur text article.html --out article.txt    what to attest, and to publish for readers who check
  imprimatur attest article.html --exact-text       attests the same bytes, and names the profile in the metadata

Characters that do not show, such as variation selectors, are told and never removed. Neither the service nor the chain is
asked.`;

export function text(program: Command, act: Act): void {
  program
    .command('text')
    .description('Make the exact text of an article from Markdown or HTML.')
    .argument('<file>', 'the Markdown, plain text or page, or - for standard input')
    .addOption(new Option('--from <kind>', 'what it is (default: by its name)').choices(textSources))
    .option('--out <file>', 'write the text to a file (default: standard output)')
    .addHelpText('after', explanation)
    .action((path: string, choice: TextChoice) => act((session) => make(session, path, choice)));
}

async function make(
  session: Session,
  path: string,
  { from = sourceOf(path), out }: TextChoice,
): Promise<CommandAnswer> {
  const { content, hidden } = await readExactContent(path, session, from);
  const bytes = Buffer.from(content);
  const cid = contentCid(bytes);
  const facts = { profile: exactTextProfile, from, contentCid: cid, bytes: bytes.length, hidden };
  const notes = hiddenNotes(hidden);
  if (out === undefined) return { json: { ...facts, text: content }, text: '', bytes, notes };
  await writeText(out, bytes);
  return { json: { ...facts, out }, text: `${out} is written\n\n${cid}`, notes };
}
