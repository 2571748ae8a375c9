import { Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from 'imprimatur-terminal/whole-number';
import { checkout } from '../../local/checkout.ts';
import { reportFailure, stopRequest } from '../../local/process/stop-request.ts';
import { startStack } from '../../local/stack/stack.ts';
import { PlainError } from '../../local/terminal/plain-error.ts';
import { type FuzzReport, reportText } from './report.ts';
import { fuzz } from './schemathesis.ts';

const directory = `${checkout}/.local/fuzz`;

/** Short, because only confirmed attestations can be linked. */
const revealDelaySeconds = 2;

/** More than a run posts. A request that a limit rejects tests nothing else. */
const limits = { attestationsPerDay: 1_000_000, linksPerDay: 1_000_000, inFlight: 1_000_000 };

const description =
  'Send requests that schemathesis generates from the OpenAPI document, and check every response against it.';

const notes = `
Needs Python 3.10 or later. The first run installs a pinned schemathesis in .local. Its output is in .local/fuzz.

Environment variables:
  IMPRIMATUR_API_KEY  with --url: key of an organization with a delegation

Exit codes:
  0    all responses match, and enough requests were sent
  1    failure or wrong usage
  130  interrupted

Examples:
  npm run fuzz -- --cases 500
  npm run fuzz -- --seed 42 --json`;

interface FuzzOptions {
  readonly cases: number;
  readonly seed?: number;
  readonly url?: string;
  readonly json?: true;
}

const program = new Command('npm run fuzz --')
  .description(description)
  .option('--cases <n>', 'minimum number of requests', wholeNumber(1, 1_000_000), 2000)
  .option(
    '--seed <seed>',
    'seed of the requests, to repeat a run (default: random)',
    wholeNumber(0, 2 ** 31 - 1),
  )
  .option(
    '--url <url>',
    'URL without /v1 of a running service, instead of a new local stack; posted texts are attested there',
    parseUrl,
  )
  .option('--json', 'print one JSON object, and progress to stderr')
  .addHelpText('after', notes);

function parseUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
  throw new InvalidArgumentError('Use an http or https URL.');
}

const log = (line: string) => console.error(line);

async function fuzzTarget({ url, cases, seed }: FuzzOptions, signal: AbortSignal): Promise<FuzzReport> {
  const fuzzing = { cases, seed, log, signal, directory: `${directory}/schemathesis` };
  if (url !== undefined) {
    // A key on the command line would show in every list of processes.
    const { IMPRIMATUR_API_KEY: apiKey } = process.env;
    if (!apiKey) throw new PlainError('--url needs an API key. Set IMPRIMATUR_API_KEY.');
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
    return reportFailure(error);
  }
}

program.action(async (options) => process.exit(await main(options)));
await program.parseAsync();
