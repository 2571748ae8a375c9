import { describeFailure } from '../../local/terminal/plain-error.ts';
import { startSharedEmulator } from '../fakes/real/real-emulator.ts';
import { parseSoakOptions, type SoakOptions, soakHelp } from './arguments.ts';
import { liveAll } from './fleet.ts';
import { liveRealSeed } from './life/real-seed.ts';
import { type Life, liveSeed } from './life/seed.ts';
import { Progress } from './progress.ts';
import { type Report, reportOf, reportText } from './report.ts';
import type { Task } from './worker.ts';

/** Runs one life in this process, with every event shown; or all of them in processes of their own. */
async function liveTasks(tasks: readonly Task[], { trace, real }: SoakOptions): Promise<readonly Life[]> {
  const [only] = tasks;
  if (!trace || !only) {
    const progress = new Progress(tasks.length, real, (line) => console.error(line));
    return liveAll(tasks, (life) => progress.add(life));
  }
  const { seed, emulator } = only;
  return [await (emulator ? liveRealSeed(seed, emulator, console.log) : liveSeed(seed, console.log))];
}

async function soak(options: SoakOptions): Promise<Report> {
  const { seeds, real } = options;
  if (!real)
    return reportOf(
      await liveTasks(
        seeds.map((seed) => ({ seed })),
        options,
      ),
      options,
    );
  const { endpoint: emulator, stop } = await startSharedEmulator((line) => console.error(line));
  try {
    return reportOf(
      await liveTasks(
        seeds.map((seed) => ({ seed, emulator })),
        options,
      ),
      options,
    );
  } finally {
    await stop();
  }
}

/** Runs the command. @returns its exit status */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = parseSoakOptions(argv);
    if (!options) {
      console.log(soakHelp);
      return 0;
    }
    const report = await soak(options);
    console.log(options.json ? JSON.stringify(report) : reportText(report));
    return report.failed.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(describeFailure(error));
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
