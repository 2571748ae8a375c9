import { Command, Option } from 'commander';
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
import type { Act } from './session.ts';

const explanation = `
IMPRIMATUR_URL is the service's URL, IMPRIMATUR_API_KEY an API key of your organisation.
The URL is https, but for localhost; IMPRIMATUR_ALLOW_HTTP=1 lets the key go over http to any host, in clear text.

A failure is told on standard error. With --json, standard output is always one JSON object: the answer, or
{ "error": "…" }.

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 not confirmed or linked in time (the service goes on),
130 stopped with Ctrl-C (the service goes on), 70 an error that was not foreseen. Those of verify, watch and find are in
their help.`;

/** Makes the publisher's command line, which throws its usage errors and does not print them. */
export function publisherProgram(act: Act, writeHelp: (text: string) => void): Command {
  // The commands added below inherit how output and errors are handled.
  const program = new Command('imprimatur')
    .description('Attests texts on a blockchain, so that anyone can check who published them and when.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: writeHelp, writeErr: () => {} })
    .version(packageJson.version, '--version', 'print the version')
    .addHelpText('afterAll', explanation)
    .addOption(new Option('--json', 'print one JSON object'))
    .exitOverride();
  const all = [
    attest,
    status,
    list,
    find,
    link,
    chains,
    delegate,
    text,
    quote,
    prove,
    verify,
    domain,
    html,
    watch,
  ];
  for (const add of all) add(program, act);
  return program;
}
