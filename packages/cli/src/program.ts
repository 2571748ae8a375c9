import { Command, Option } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import packageJson from '../package.json' with { type: 'json' };
import { attest } from './commands/attest.ts';
import { chains } from './commands/chains.ts';
import { delegate } from './commands/delegate.ts';
import { domain } from './commands/domain.ts';
import { find, list } from './commands/find.ts';
import { html } from './commands/html.ts';
import { link } from './commands/link.ts';
import { prove } from './commands/prove.ts';
import { quote } from './commands/quote.ts';
import { status } from './commands/status.ts';
import { text } from './commands/text.ts';
import { verify } from './commands/verify.ts';
import { watch } from './commands/watch.ts';
import { commonExitCodes } from './help.ts';
import type { RunCommand } from './session.ts';

const notes = `Environment:
  IMPRIMATUR_URL            URL of the service; must be https, except on localhost
  IMPRIMATUR_API_KEY        API key of your organization
  IMPRIMATUR_ALLOW_HTTP=1   allow http, which sends the key in clear text

Errors go to stderr. With --json, stdout is one JSON object: the result, or
{ "error": "…" }.`;

const help = helpText({
  notes,
  examples: ['imprimatur attest article.md --proof', 'imprimatur verify article.md'],
  exitCodes: commonExitCodes,
  exitCodesHeading: 'Exit codes, unless a command has its own:',
});

const commandGroups = {
  'Attest:': [attest, status, list, find, link, text],
  'Verify and quote:': [verify, prove, quote],
  'Publish:': [html, domain],
  'Delegate and watch:': [chains, delegate, watch],
} as const;

/** Makes the command line, which throws usage errors instead of printing them. */
export function publisherProgram(run: RunCommand, writeHelp: (text: string) => void): Command {
  // The subcommands inherit these settings for output and errors.
  const program = new Command('imprimatur')
    .description('Attest texts on a blockchain, so that anyone can check who published them and when.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: writeHelp, writeErr: () => {} })
    .version(packageJson.version, '--version', 'print the version')
    .addHelpText('after', help)
    .addOption(new Option('--json', 'print one JSON object'))
    .exitOverride();
  for (const [heading, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const addCommand of commands) addCommand(program, run);
  }
  return program;
}
