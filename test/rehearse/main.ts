import { resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { fieldList, ignoreClosedPipe } from 'imprimatur-terminal/text';
import { wholeNumber } from 'imprimatur-terminal/whole-number';
import { withoutUrls } from '../../admin/error-line.ts';
import { UsageInvalidError } from '../../admin/terminal/errors.ts';
import { FileInvalidError } from '../../lib/environment/read-json.ts';
import { checkout } from '../../local/checkout.ts';
import { stopRequest } from '../../local/process/stop-request.ts';
import { describeFailure } from '../../local/terminal/plain-error.ts';
import { rehearse, type StepReporter } from './rehearsal.ts';
import { exitCodeOf, reportText } from './report.ts';
import { confirmedTarget, type SmokeOptions, stepNames, stepsOf } from './smoke.ts';
import { emulatorTarget, type Versions } from './stack/emulator.ts';
import { makeDeployment, type Step } from './step-context.ts';
import { type ArchiveOptions, archive } from './steps/archive.ts';
import { attest, deploy } from './steps/deploy-and-attest.ts';
import { destroy, doctor } from './steps/doctor-and-destroy.ts';
import { restore } from './steps/restore.ts';
import { upgrade } from './steps/upgrade.ts';
import type { Target } from './target.ts';

const notes = `
Each rehearsal prints a report: facts that are proven, NOT PROVEN, or FAILED.

Exit codes:
  0    nothing failed
  1    something failed
  2    wrong usage, or the rehearsal could not start
  130  interrupted

Examples:
  npm run rehearse -- smoke --emulator
  npm run rehearse -- smoke --env staging --rpc-urls urls.txt
  npm run rehearse -- upgrade --from ../older
  npm run rehearse -- archive --count 50`;

const smokeNotes = `
In AWS, it takes about an hour on a stack of its own: see
docs/operations/smoke.md. Set IMPRIMATUR_DEPLOYER_PRIVATE_KEY to a key with
0.03 of the chain's coin. After a failure or Ctrl-C, the stack remains, and the
output shows how to remove it. On an emulator, some facts are NOT PROVEN.`;

function parseOnly(text: string) {
  const names = text.split(',');
  if (names.every((name) => stepNames.some((known) => known === name))) return names;
  throw new InvalidArgumentError(`Use these names: ${stepNames.join(', ')}.`);
}

const absolute = (path: string) => resolve(path);

const runOptions = { signal: stopRequest(), log: console.error };

const program = new Command('npm run rehearse --')
  .description('Rehearse deployments, upgrades, and restores, also in AWS.')
  .option('--list', 'list the rehearsals')
  .option('--json', 'print the report as one JSON object, and progress to stderr')
  .configureHelp({ showGlobalOptions: true })
  .addHelpText('after', notes)
  .exitOverride();
const runOn = async (name: string, target: Target, steps: readonly (readonly [string, Step])[]) => {
  const { title, leftBehind } = target;
  const deployment = makeDeployment(target);
  const runs = steps.map(
    ([name, run]) => [name, (reporter: StepReporter) => run({ ...deployment, ...reporter })] as const,
  );
  try {
    const report = await rehearse({ name, target: title, steps: runs, leftBehind }, runOptions);
    const exitCode = exitCodeOf(report);
    console.log(program.opts().json ? JSON.stringify({ ...report, exitCode }) : `\n${reportText(report)}`);
    process.exitCode = exitCode;
  } catch (error) {
    for (const left of leftBehind()) runOptions.log(`left behind: ${left}`);
    throw error;
  } finally {
    await target.stop();
  }
};
const runOnEmulator = (name: string, steps: Readonly<Record<string, Step>>, versions?: Versions) =>
  runOn(name, emulatorTarget(name, runOptions, versions), Object.entries(steps));
program
  .command('smoke')
  .description('Deploy, load, upgrade, restore, and destroy a stack, in AWS or on an emulator.')
  .option('--env <name>', 'environment with the account, Region, and chain to use')
  .option('--rpc-urls <file>', 'file with the RPC URLs of the chain, one per line')
  .option('--chain <id>', 'another chain of the environment', wholeNumber(1, Number.MAX_SAFE_INTEGER))
  .addOption(
    new Option('--emulator', 'use a local emulator and chain, about 10 minutes').conflicts([
      ...['env', 'rpcUrls', 'chain', 'keep', 'destroy'],
    ]),
  )
  .option('--only <a,b>', `run only deploy, attest, destroy, and these: ${stepNames.join(', ')}`, parseOnly)
  .option('--keep', 'keep the stack at the end')
  .option('--destroy', 'only remove what an earlier run left')
  .option('-y, --yes', 'skip the confirmation')
  .addHelpText('after', smokeNotes)
  .action(async (options: SmokeOptions & { emulator?: true }, command: Command) => {
    if (options.emulator) return runOnEmulator('smoke', Object.fromEntries(stepsOf(options)));
    if (options.env === undefined) command.error('error: pass --env with an environment, or --emulator');
    if (!options.destroy && options.rpcUrls === undefined)
      command.error('error: pass --rpc-urls with a file of RPC URLs, one per line');
    const target = await confirmedTarget(options.env, options, runOptions);
    await runOn('smoke', target, stepsOf(options));
  });
program
  .command('restore')
  .description('Restore the tables to an earlier time, on the emulator, about 5 minutes.')
  .action(() => runOnEmulator('restore', { deploy, restore, doctor, destroy }));
program
  .command('upgrade')
  .description('Upgrade a stack during an attestation, on the emulator, about 5 minutes.')
  .option('--from <dir>', 'checkout to deploy first, such as a git worktree', absolute, checkout)
  .option('--to <dir>', 'checkout to upgrade to', absolute, checkout)
  .action((versions: Versions) => runOnEmulator('upgrade', { deploy, attest, upgrade }, versions));
program
  .command('archive')
  .description('Kill imprimatur attest twice during an archive, and resume it, on the emulator.')
  .option('--count <n>', 'number of articles of 1 to 50 KB', wholeNumber(3, 100_000), 500)
  .option('--concurrency <n>', 'number of concurrent posts', wholeNumber(1, 64), 8)
  .option('--in-flight <n>', 'attestations neither confirmed nor failed', wholeNumber(1, 100_000), 300)
  .action((options: ArchiveOptions) => runOnEmulator('archive', { deploy, archive: archive(options) }));

program.argument('[name]').action((_, { list }: { list?: true }) => {
  if (!list) program.error('error: name a rehearsal that --list prints');
  console.log(
    fieldList(Object.fromEntries(program.commands.map((command) => [command.name(), command.description()]))),
  );
});

ignoreClosedPipe(process.stdout);
try {
  await program.parseAsync();
} catch (error) {
  if (runOptions.signal.aborted) process.exitCode = 130;
  else if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    const isPlain = error instanceof FileInvalidError || error instanceof UsageInvalidError;
    // The failures of viem name the URL of a provider.
    console.error(withoutUrls(isPlain ? error.message : describeFailure(error)));
    process.exitCode = 2;
  }
}
// All processes that it started have ended.
process.exit();
