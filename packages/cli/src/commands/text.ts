import { type Command, Option } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import { exactTextProfile } from 'imprimatur-verifier';
import {
  hiddenNotes,
  readExactContent,
  sourceOf,
  type TextSource,
  textSources,
} from '../files/exact-content.ts';
import { contentCid, writeText } from '../files/read-content.ts';
import { fileExitCodes } from '../help.ts';
import type { RunCommand, Session } from '../session.ts';

interface TextOptions {
  readonly from?: TextSource;
  readonly out?: string;
}

const help = helpText({
  notes: `Output follows the profile imprimatur-text-1: UTF-8 without byte order mark,
Unicode NFC, LF line endings, one at the end. Markdown syntax is kept. From
HTML, the command takes the element with data-indelible, or else the first
article, the first main, or body, with one paragraph for each block element.

Invisible characters are reported, not removed. Works offline.`,
  examples: [
    'imprimatur text article.html --out article.txt',
    'imprimatur text article.html | imprimatur verify - --reference eip155:…',
  ],
  exitCodes: fileExitCodes,
});

export function text(program: Command, run: RunCommand): void {
  program
    .command('text')
    .description('Make the exact text of an article from Markdown or HTML.')
    .argument('<file>', 'Markdown, plain text or HTML, or - for stdin')
    .addOption(new Option('--from <kind>', 'format (default: from the file name)').choices(textSources))
    .option('--out <file>', 'output file (default: stdout)')
    .addHelpText('after', help)
    .action((path: string, options: TextOptions) => run((session) => makeText(session, path, options)));
}

async function makeText(session: Session, path: string, { from = sourceOf(path), out }: TextOptions) {
  const { content, hidden } = await readExactContent(path, session, from);
  const bytes = Buffer.from(content);
  const cid = contentCid(bytes);
  const result = { profile: exactTextProfile, from, contentCid: cid, bytes: bytes.length, hidden };
  const notes = hiddenNotes(hidden);
  if (out === undefined) return { json: { ...result, text: content }, text: '', bytes, notes };
  await writeText(out, bytes);
  return { json: { ...result, out }, text: `wrote ${out}\n\n${cid}`, notes };
}
