import { Command, Option } from 'commander';
import { wholeNumber } from 'imprimatur-terminal/whole-number';
import { describeFailure } from '../../local/terminal/plain-error.ts';
import { startSharedEmulator } from '../fakes/real/real-emulator.ts';
import { failureText, type Report, reportOf, reportText } from './report.ts';
import { runSeed, type SeedRun, type Task } from './run/run-seed.ts';
import { runAllSeeds } from './seed-workers.ts';

const description = `Simulate the service with random faults, once for each seed. After the faults of docs/faults.md stop, every \
attestation must be confirmed once or failed with a reason, and nothing may wait.`;

const notes = `
On fakes, a seed always gives the same run.

Exit codes:
  0  all seeds passed
  1  a seed failed, or wrong usage

Examples:
  npm run soak -- --seeds 100
  npm run soak -- --seed 42 --trace`;

interface SoakOptions {
  readonly seeds?: number;
  readonly first: number;
  readonly seed?: number;
  readonly trace?: true;
  readonly real?: boolean;
  readonly json?: true;
}

const anySeed = wholeNumber(0, 2 ** 31 - 1);

const program = new Command('npm run soak --')
  .description(description)
  .option('--seeds <n>', 'number of seeds (default: 1000, or 50 with --real)', wholeNumber(1, 1_000_000))
  .option('--first <seed>', 'first seed', anySeed, 0)
  .addOption(
    new Option('--seed <seed>', 'run only this seed').argParser(anySeed).conflicts(['seeds', 'first']),
  )
  .option('--trace', 'with --seed: print every event')
  .option('--real', "use the emulator's DynamoDB and KMS, and an anvil for each seed, instead of fakes")
  .option('--json', 'print one JSON object, and progress to stderr')
  .addHelpText('after', notes);

const log = (line: string) => console.error(line);

/** Reports every failure immediately, and the number of finished runs from time to time. */
function progressOf(seeds: number, real: boolean): (run: SeedRun) => void {
  let [finished, failed, attestations] = [0, 0, 0];
  return (run) => {
    finished += 1;
    attestations += run.tally.attestations ?? 0;
    if (run.failure !== undefined) {
      failed += 1;
      log(failureText(run, real));
    }
    if (finished % Math.ceil(seeds / 20) > 0) return;
    log(`${finished} of ${seeds} seeds, ${attestations} attestations, ${failed} failed`);
  };
}

/** Runs one seed in this process and prints every event, or runs all seeds in separate processes. */
async function soak(options: SoakOptions): Promise<Report> {
  const { seeds, first, seed, trace, real = false } = options;
  const count = seeds ?? (real ? 50 : 1000);
  const numbers =
    seed === undefined ? Array.from({ length: count }, (_, position) => first + position) : [seed];
  const shared = real ? await startSharedEmulator(log) : undefined;
  const tasks = numbers.map(
    (number): Task => ({ seed: number, ...(shared && { emulator: shared.endpoint }) }),
  );
  const [only] = tasks;
  try {
    const runs =
      trace && seed !== undefined && only
        ? [await runSeed(only, console.log)]
        : await runAllSeeds(tasks, progressOf(tasks.length, real));
    return reportOf(runs, real);
  } finally {
    await shared?.stop();
  }
}

/** Runs the command. @returns its exit status */
async function main(options: SoakOptions): Promise<number> {
  try {
    const report = await soak(options);
    console.log(options.json ? JSON.stringify(report) : reportText(report));
    return report.failed.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(describeFailure(error));
    return 1;
  }
}

program.action(async (options) => {
  process.exitCode = await main(options);
});
await program.parseAsync();
