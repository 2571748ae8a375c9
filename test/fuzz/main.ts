import { checkout } from '../../local/checkout.ts';
import { endOfFailure, stopRequest } from '../../local/process/stop-request.ts';
import { startStack } from '../../local/stack/stack.ts';
import { type FuzzOptions, fuzzHelp, parseFuzzOptions } from './arguments.ts';
import { type FuzzReport, reportText } from './report.ts';
import { fuzz } from './schemathesis.ts';

const directory = `${checkout}/.local/fuzz`;

/** As short as contract and service allow: what is confirmed early can be linked. */
const revealDelaySeconds = 2;

/** More than a run posts: a request that a limit refuses does not test the rest. */
const limits = { attestationsPerDay: 1_000_000, linksPerDay: 1_000_000, inFlight: 1_000_000 };

const log = (line: string) => console.error(line);

/** Fuzzes the named service, or a stack of its own, which is stopped afterwards. */
async function fuzzTarget({ target, ...options }: FuzzOptions, signal: AbortSignal): Promise<FuzzReport> {
  const fuzzing = { ...options, log, signal, directory: `${directory}/schemathesis` };
  if (target) return fuzz({ ...fuzzing, ...target });
  const settings = { limits };
  const stack = await startStack({ directory, revealDelaySeconds, settings, variables: {}, log, signal });
  try {
    return await fuzz({ ...stack.file, ...fuzzing });
  } finally {
    await stack.stop();
  }
}

/** Runs the command. @returns its exit status; everything it started has ended by then. */
async function main(argv: readonly string[]): Promise<number> {
  const signal = stopRequest();
  try {
    const options = parseFuzzOptions(argv, process.env);
    if (!options) {
      console.log(fuzzHelp);
      return 0;
    }
    const report = await fuzzTarget(options, signal);
    console.log(options.json ? JSON.stringify(report) : reportText(report));
    return report.failures.length === 0 ? 0 : 1;
  } catch (error) {
    return endOfFailure(error);
  }
}

process.exit(await main(process.argv.slice(2)));
