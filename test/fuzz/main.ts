import { Command, InvalidArgumentError } from 'commander';
import { checkout } from '../../local/checkout.ts';
import { endOfFailure, stopRequest } from '../../local/process/stop-request.ts';
import { startStack } from '../../local/stack/stack.ts';
import { PlainError } from '../../local/terminal/plain-error.ts';
import { wholeNumber } from '../../local/terminal/whole-number.ts';
import { type FuzzReport, reportText } from './report.ts';
import { fuzz } from './schemathesis.ts';

const directory = `${checkout}/.local/fuzz`;

/** As short as contract and service allow: what is confirmed early can be linked. */
const revealDelaySeconds = 2;

/** More than a run posts: a request that a limit refuses does not test the rest. */
const limits = { attestationsPerDay: 1_000_000, linksPerDay: 1_000_000, inFlight: 1_000_000 };

const description = `Has schemathesis make up requests from the service's own OpenAPI document, valid ones and wrong ones, single ones and chains \
of them along the document's links, and compares every answer with the document by all of its checks.

Needs Python 3.10 or later; installs schemathesis once, pinned, under .local. What it says is under .local/fuzz. The exit \
status is 0 only if nothing failed and so many requests were made.`;

interface FuzzOptions {
  readonly cases: number;
  readonly seed?: number;
  readonly url?: string;
  readonly json?: true;
}

const program = new Command('npm run fuzz --')
  .description(description)
  .option('--cases <n>', 'how many requests at least', wholeNumber(1, 1_000_000), 2000)
  .option(
    '--seed <seed>',
    'the same requests again, as far as the answers are the same; default any',
    wholeNumber(0, 2 ** 31 - 1),
  )
  .option(
    '--url <url>',
    "a running service, without /v1, instead of a local stack of its own; everything that is posted there is attested. The environment's IMPRIMATUR_API_KEY is the key of an organisation that has delegated",
    parseUrl,
  )
  .option('--json', 'one JSON object on standard output; progress goes to standard error');

function parseUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
  throw new InvalidArgumentError('It is an http or https URL.');
}

const log = (line: string) => console.error(line);

/** Fuzzes the named service, or a stack of its own, which is stopped afterwards. */
async function fuzzTarget({ url, cases, seed }: FuzzOptions, signal: AbortSignal): Promise<FuzzReport> {
  const fuzzing = { cases, seed, log, signal, directory: `${directory}/schemathesis` };
  if (url !== undefined) {
    // A key on the command line would show in every list of processes.
    const { IMPRIMATUR_API_KEY: apiKey } = process.env;
    if (!apiKey) throw new PlainError('--url needs an API key in the environment: IMPRIMATUR_API_KEY');
    return fuzz({ ...fuzzing, apiUrl: url, apiKey });
  }
  const settings = { limits };
  const stack = await startStack({ directory, revealDelaySeconds, settings, variables: {}, log, signal });
  try {
    return await fuzz({ ...stack.file, ...fuzzing });
  } finally {
    await stack.stop();
  }
}

/** Runs the command. @returns its exit status; everything it started has ended by then. */
async function main(options: FuzzOptions): Promise<number> {
  try {
    const report = await fuzzTarget(options, stopRequest());
    console.log(options.json ? JSON.stringify(report) : reportText(report));
    return report.failures.length === 0 ? 0 : 1;
  } catch (error) {
    return endOfFailure(error);
  }
}

program.action(async (options) => process.exit(await main(options)));
await program.parseAsync();
