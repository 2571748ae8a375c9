import { resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { checkout } from '../../local/checkout.ts';
import { wholeNumber } from '../../local/terminal/whole-number.ts';
import { exitCodeOf, reportText } from './report.ts';
import { type Run, rehearse, type Talk, type Ways } from './run.ts';
import { makeService, type Place, type Step } from './scene.ts';
import { agreedPlace, type SmokeOptions, stepNames, stepsOf } from './smoke.ts';
import { emulatorPlace, type Versions } from './stack/emulator.ts';
import { type ArchiveOptions, archive } from './steps/archive.ts';
import { deploy } from './steps/first.ts';
import { destroy, doctor } from './steps/last.ts';
import { restore } from './steps/restore.ts';
import { upgradeStuckLane } from './steps/upgrade.ts';
import { addTests } from './tests.ts';

const notes = `
Each ends with a report: what is proven, NOT PROVEN with the reason, or FAILED.

Exit codes: 0 all that was tried holds, 1 something does not, 2 wrong usage or
refused, 130 stopped.

Examples:
  npm run rehearse -- smoke --emulator
  npm run rehearse -- smoke --env staging --rpc-urls urls.txt
  npm run rehearse -- upgrade --from ../older
  npm run rehearse -- archive --count 50
  npm run rehearse -- access Reveal Sweep`;

const smokeNotes = `
Proves in an AWS account what no emulator can, on a stack of its own, in about
an hour: docs/operations/smoke.md. IMPRIMATUR_DEPLOYER_PRIVATE_KEY is a key
with 0.03 of the chain's coin. A failure and Ctrl-C leave all as it is, and say
how to remove it. What an emulator cannot show is NOT PROVEN.`;

function parseOnly(text: string) {
  const names = text.split(',');
  if (names.every((name) => stepNames.some((known) => known === name))) return names;
  throw new InvalidArgumentError(`They are ${stepNames.join(', ')}.`);
}

const absolute = (path: string) => resolve(path);

/** Makes the command line, which prints its usage errors and throws them. */
export function rehearseProgram(ways: Ways, setExitCode: (exitCode: number) => void): Command {
  const program = new Command('npm run rehearse --')
    .description('Rehearses what tests do not: whole lives of a stack, in AWS too, and tests that take long.')
    .option('--list', 'print the rehearsals, a line each')
    .option('--json', 'print the report as one JSON object; progress goes to standard error')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', notes)
    .exitOverride();
  program.on('option:list', () => {
    for (const one of program.commands) console.log(`${one.name().padEnd(10)} ${one.description()}`);
    throw new CommanderError(0, 'list', '');
  });
  const run: Run = async (rehearsal) => {
    const report = await rehearse(rehearsal, ways);
    const exitCode = exitCodeOf(report);
    console.log(program.opts().json ? JSON.stringify({ ...report, exitCode }) : `\n${reportText(report)}`);
    setExitCode(exitCode);
  };
  addLives(program, run, ways);
  addTests(program, run);
  return program;
}

/** Adds the rehearsals that bring a stack up. */
function addLives(program: Command, run: Run, ways: Ways): void {
  const runOn = async (name: string, place: Place, steps: readonly (readonly [string, Step])[]) => {
    const { title, leftBehind } = place;
    const service = makeService(place);
    const acts = steps.map(([step, act]) => [step, (talk: Talk) => act({ ...service, ...talk })] as const);
    try {
      await run({ name, place: title, steps: acts, leftBehind });
    } catch (error) {
      for (const left of leftBehind()) ways.log(`left behind: ${left}`);
      throw error;
    } finally {
      await place.stop();
    }
  };
  const runHere = (name: string, steps: Readonly<Record<string, Step>>, versions?: Versions) =>
    runOn(name, emulatorPlace(name, ways, versions), Object.entries(steps));
  program
    .command('smoke')
    .description('a stack is deployed, put under load, upgraded, restored, destroyed; for AWS')
    .option('--env <name>', 'environment whose account, Region and chain are used')
    .option('--rpc-urls <file>', 'RPC URLs of the chain, one a line; they are secrets')
    .option('--chain <id>', 'another chain of the environment', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .addOption(
      new Option('--emulator', 'on a local emulator and chain, in some ten minutes').conflicts([
        ...['env', 'rpcUrls', 'chain', 'keep', 'destroy'],
      ]),
    )
    .option('--only <a,b>', `only deploy, attest, destroy and these: ${stepNames.join(', ')}`, parseOnly)
    .option('--keep', 'leave the stack as it is at the end')
    .option('--destroy', 'only remove what an earlier run left, once CloudFormation is done')
    .option('-y, --yes', 'do not ask before it begins')
    .addHelpText('after', smokeNotes)
    .action(async (options: SmokeOptions & { emulator?: true }, command: Command) => {
      if (options.emulator) return runHere('smoke', Object.fromEntries(stepsOf(options)));
      if (options.env === undefined)
        command.error('error: name an environment with --env, or take --emulator');
      if (!options.destroy && options.rpcUrls === undefined)
        command.error('error: --rpc-urls is missing: a file with the RPC URLs of the chain, one a line');
      const place = await agreedPlace(options.env, options, ways);
      await runOn('smoke', place, stepsOf(options));
    });
  program
    .command('restore')
    .description('the tables go back to an earlier moment; five minutes, on the emulator')
    .action(() => runHere('restore', { deploy, restore, doctor, destroy }));
  program
    .command('upgrade')
    .description('a version is deployed over one whose lane is stuck; five minutes, on the emulator')
    .option('--from <dir>', 'checkout that is deployed first, such as a git worktree', absolute, checkout)
    .option('--to <dir>', 'checkout that is deployed over it', absolute, checkout)
    .action((versions: Versions) => runHere('upgrade', { deploy, upgrade: upgradeStuckLane }, versions));
  program
    .command('archive')
    .description('imprimatur attest is killed twice over an archive, and goes on; on the emulator')
    .option('--count <n>', 'number of articles of 1 to 50 KB', wholeNumber(3, 100_000), 500)
    .option('--concurrency <n>', 'articles that the command posts at once', wholeNumber(1, 64), 8)
    .option('--in-flight <n>', 'attestations that may be under way', wholeNumber(1, 100_000), 300)
    .action((options: ArchiveOptions) => runHere('archive', { deploy, archive: archive(options) }));
}
