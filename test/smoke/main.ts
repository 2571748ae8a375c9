import { createInterface } from 'node:readline/promises';
import { Progress } from 'imprimatur-terminal/progress';
import { outliveReader } from 'imprimatur-terminal/text';
import { readUrls } from '../../admin/commands/settings/set.ts';
import { withoutUrls } from '../../admin/error-line.ts';
import { UsageInvalidError } from '../../admin/terminal/errors.ts';
import { FileInvalidError } from '../../lib/environment/read-json.ts';
import { StopRequestedError, stopRequest, unlessStopped } from '../../local/process/stop-request.ts';
import { ChainUnusableError } from '../../local/stack/connect-chain.ts';
import { OptionInvalidError } from '../../local/terminal/option-values.ts';
import { describeFailure } from '../../local/terminal/plain-error.ts';
import { parseSmokeOptions, type SmokeOptions, smokeHelp } from './options.ts';
import { awsPlace } from './place/aws-place.ts';
import { emulatorPlace } from './place/emulator-place.ts';
import type { Place } from './place/place.ts';
import { exitCodeOf, reportText } from './report.ts';
import { runSteps } from './run.ts';
import { EnvironmentRefusedError, smokeEnvironment } from './smoke-environment.ts';

/** What is about to happen, for somebody who has to say yes. */
const warningOf = ({ title, stackName }: Place, caller: string) => ({
  run: `The stack ${stackName} is deployed and used for about an hour
in ${title},
as ${caller}.
That costs less than 1 USD at AWS, and at most 0.03 of the chain's coin.
At its end its KMS key is to be deleted: stacks of the account that watch their
keys tell their on-call of that.`,
  removal: `The stack ${stackName} is destroyed, with its tables, key and parameters,
in ${title},
as ${caller}.
Stacks of the account that watch their keys tell their on-call of the key.`,
});

async function isAgreed(warning: string): Promise<boolean> {
  console.error(warning);
  if (!process.stdin.isTTY) {
    console.error('Nobody can be asked here: add --yes');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Type yes to begin: ');
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}

function placeOf(options: SmokeOptions, progress: Progress, signal: AbortSignal): Place {
  const { env, chainId, rpcUrlsPath } = options;
  if (env === undefined) return emulatorPlace({ log: (line) => progress.say(`  ${line}`), signal });
  const environment = smokeEnvironment(env, chainId);
  // The operators' commands ask the Region that the SDK finds.
  process.env.AWS_REGION = environment.region;
  const { IMPRIMATUR_DEPLOYER_PRIVATE_KEY: deployerKey } = process.env;
  if (deployerKey === undefined && !options.destroyOnly)
    throw new OptionInvalidError('set IMPRIMATUR_DEPLOYER_PRIVATE_KEY to a key with 0.03 of the coin');
  const rpcUrls = rpcUrlsPath === undefined ? [] : readUrls(rpcUrlsPath);
  return awsPlace(environment, { rpcUrls, deployerKey });
}

async function run(options: SmokeOptions, progress: Progress, signal: AbortSignal): Promise<number> {
  const place = placeOf(options, progress, signal);
  const forWhat = options.destroyOnly ? 'removal' : 'run';
  progress.waitFor('looking whether it can begin');
  const caller = await unlessStopped(signal, place.check(forWhat));
  progress.end();
  if (place.isAws && !options.yes && !(await isAgreed(warningOf(place, caller)[forWhat]))) return 2;
  const names = options.only.filter((name) => name !== 'destroy' || !options.keep);
  try {
    if (options.destroyOnly) {
      progress.waitFor(`destroying ${place.stackName}`);
      await unlessStopped(
        signal,
        place.destroy((what) => progress.waitFor(what)),
      );
      progress.say(`${place.stackName} is gone, with its tables and parameters`);
      return 0;
    }
    const report = await runSteps({
      ...{ place, names, signal },
      say: (line) => progress.say(line),
      waitFor: (what) => progress.waitFor(what),
    });
    progress.end();
    const { stdout } = process;
    const columns = stdout.isTTY ? stdout.columns : undefined;
    const paper = { isColored: stdout.isTTY && stdout.hasColors(), columns };
    if (options.json) console.log(JSON.stringify({ ...report, exitCode: exitCodeOf(report) }));
    else console.log(`\n${reportText(report, paper)}`);
    return exitCodeOf(report);
  } catch (error) {
    progress.end();
    const left = place.leftBehind();
    if (left.length > 0) console.error(['left behind:', ...left.map((one) => `  ${one}`)].join('\n'));
    throw error;
  } finally {
    progress.waitFor('stopping');
    await place.stop();
    progress.end();
  }
}

/** Runs the command. @returns its exit status; everything it started on this machine has ended by then. */
async function main(argv: readonly string[]): Promise<number> {
  outliveReader(process.stdout);
  const progress = new Progress(process.stderr);
  try {
    const options = parseSmokeOptions(argv);
    if (options) return await run(options, progress, stopRequest());
    console.log(smokeHelp);
    return 0;
  } catch (error) {
    progress.end();
    const isUsage =
      error instanceof OptionInvalidError ||
      error instanceof EnvironmentRefusedError ||
      error instanceof ChainUnusableError ||
      error instanceof FileInvalidError ||
      error instanceof UsageInvalidError;
    if (error instanceof StopRequestedError) return 130;
    // The failures of viem name the URL of a provider.
    console.error(withoutUrls(isUsage ? error.message : describeFailure(error)));
    return isUsage ? 2 : 1;
  }
}

process.exit(await main(process.argv.slice(2)));
