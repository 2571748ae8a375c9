import { createInterface } from 'node:readline/promises';
import { readUrls } from '../../admin/deployment/arguments.ts';
import { raceWithStop } from '../../local/process/stop-request.ts';
import { PlainError } from '../../local/terminal/plain-error.ts';
import type { RunOptions } from './rehearsal.ts';
import { type AwsTarget, awsTarget } from './stack/aws.ts';
import { smokeEnvironment } from './stack/environment.ts';
import type { Step } from './step-context.ts';
import { attest, deploy } from './steps/deploy-and-attest.ts';
import { destroy, doctor } from './steps/doctor-and-destroy.ts';
import { logs } from './steps/logs.ts';
import { metrics } from './steps/metrics.ts';
import { restore } from './steps/restore.ts';
import { redrive, throttle } from './steps/throttle-and-redrive.ts';
import { upgrade } from './steps/upgrade.ts';

const steps = { deploy, attest, throttle, redrive, upgrade, restore, logs, metrics, doctor, destroy };

export const stepNames = Object.keys(steps) as (keyof typeof steps)[];

export interface SmokeOptions {
  /** Environment in AWS; absent on an emulator. */
  readonly env?: string;
  readonly rpcUrls?: string;
  readonly chain?: number;
  readonly only?: readonly string[];
  readonly keep?: true;
  readonly destroy?: true;
  readonly yes?: true;
}

/** The selected steps with their prerequisites, in order. */
export function stepsOf({ only = stepNames, keep, destroy: isRemoval }: SmokeOptions): [string, Step][] {
  if (isRemoval) return [['destroy', ({ target }) => target.destroy()]];
  const needed = ['deploy', 'attest', ...only, ...(keep ? [] : ['destroy'])];
  return Object.entries(steps).filter(([name]) => needed.includes(name) && !(keep && name === 'destroy'));
}

const usage = `setup prepares the account if necessary: it bootstraps the CDK, creates API Gateway's
logging role, and requests higher quotas. These remain. The stack is deployed and used for about
an hour, which costs less than 1 USD at AWS, and at most 0.03 of the chain's coin. Then it is destroyed.`;
const removal = 'The stack is destroyed, with its tables, key and parameters.';

async function isConfirmed({ title }: AwsTarget, caller: string, consequences: string, signal: AbortSignal) {
  console.error(`In ${title},
as ${caller}:
${consequences}
Other stacks of the account alert their on-call when the key is scheduled for deletion.`);
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Type yes to begin: ', { signal }).finally(() => terminal.close());
  return answer.trim().toLowerCase() === 'yes';
}

export async function confirmedTarget(
  env: string,
  options: SmokeOptions,
  { signal, log }: RunOptions,
): Promise<AwsTarget> {
  const { destroy: isRemoval = false, chain, rpcUrls, yes } = options;
  const environment = smokeEnvironment(env, chain);
  // The operators' commands use the SDK's Region.
  process.env.AWS_REGION = environment.region;
  // Ignores emulators that variables and profiles name.
  process.env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS = 'true';
  const { IMPRIMATUR_DEPLOYER_PRIVATE_KEY: deployerKey } = process.env;
  if (deployerKey === undefined && !isRemoval)
    throw new PlainError("Set IMPRIMATUR_DEPLOYER_PRIVATE_KEY to a key with 0.03 of the chain's coin.");
  const payment = { rpcUrls: rpcUrls === undefined ? [] : readUrls('--rpc-urls')(rpcUrls), deployerKey };
  const target = awsTarget(environment, payment, log);
  log('checking the prerequisites');
  const caller = await raceWithStop(signal, target.check(isRemoval ? 'removal' : 'run'));
  if (!yes && !(await isConfirmed(target, caller, isRemoval ? removal : usage, signal)))
    throw new PlainError('Not confirmed. To run without a terminal, pass --yes.');
  return target;
}
