import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { parseAbi } from 'viem';
import { checkout } from '../checkout.ts';
import { clientOptions } from '../emulator/aws-endpoint.ts';
import { readingClient } from '../on-chain/lane-history.ts';
import { endOfFailure, stopRequest, unlessStopped } from '../process/stop-request.ts';
import { Supervisor } from '../process/supervise.ts';
import { deployService } from '../stack/deploy-service.ts';
import { localClient } from '../stack/local-client.ts';
import { usualStackName } from '../stack/platform.ts';
import type { Stack } from '../stack/stack.ts';
import { stackFilePath } from '../stack/stack-file.ts';
import type { SettingsInput } from '../stack/stack-settings.ts';
import { PlainError } from '../terminal/plain-error.ts';
import { parseUpgradeOptions, type UpgradeOptions, upgradeHelp } from './options.ts';

const directory = `${checkout}/.local/upgrade`;
const log = (line: string) => console.log(line);

/** Something does not hold. */
class RehearsalFailedError extends PlainError {
  override readonly name = 'RehearsalFailedError';
}

/** Base fee in gwei that the chain is held at: above the usual cap, and below the one that is deployed. */
const baseFeeGwei = 1_000;
const [usualCapGwei, raisedCapGwei] = [200, 10_000];

/** Longest wait for anything, on a machine that has other work. */
const longestSeconds = 600;

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const since = Date.now();
  while (!(await holds())) {
    if (Date.now() - since > longestSeconds * 1000)
      throw new RehearsalFailedError(`${longestSeconds} s passed without ${what}`);
    await pause(500);
  }
  log(`${what}: after ${Math.round((Date.now() - since) / 1000)} s`);
}

/** Keeps the chain's fees up for as long as the signal is not aborted. */
async function holdFeesUp({ file }: Stack, signal: AbortSignal): Promise<void> {
  const params = [`0x${(BigInt(baseFeeGwei) * 10n ** 9n).toString(16)}`];
  const call = { jsonrpc: '2.0', id: 1, method: 'anvil_setNextBlockBaseFeePerGas', params };
  while (!signal.aborted) {
    await fetch(file.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    }).catch(() => undefined);
    await pause(500);
  }
}

/** Runs an operators' command of the version that is deployed, and returns what it prints as JSON. */
async function admin(version: string, ...argv: string[]): Promise<Record<string, unknown>> {
  const command = [`${version}/admin/main.ts`, ...argv, '--stack-file', stackFilePath(directory), '--json'];
  try {
    return JSON.parse((await promisify(execFile)(process.execPath, command, { cwd: version })).stdout);
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new RehearsalFailedError(`${argv.join(' ')}: ${stderr.trim() || String(error)}`);
  }
}

/** Deploys a version over the one that runs, with another fee cap. */
async function deployOver(stack: Stack, version: string, maxFeePerGasGwei: number): Promise<void> {
  const deployed: SettingsInput = JSON.parse(readFileSync(`${directory}/settings.json`, 'utf8'));
  const settings = {
    ...deployed,
    chains: deployed.chains.map((chain) => ({ ...chain, maxFeePerGasGwei })),
  };
  const supervisor = await Supervisor.open(`${directory}/deployment`);
  try {
    const { file, endpoint } = stack;
    const { stackName = usualStackName } = file;
    await deployService({ supervisor, endpoint, stackName, settings, version });
  } finally {
    await supervisor.stop();
  }
}

/** Executions of the lane, in the order of their starts: `1 ended, 2 runs`. */
async function laneRuns({ outputs, endpoint }: Stack): Promise<string> {
  const states = new SFNClient(clientOptions(endpoint));
  const { executions = [] } = await states.send(
    new ListExecutionsCommand({ stateMachineArn: outputs.LaneStateMachineArn }),
  );
  const runs = executions.map(({ name = '', status }) => [Number(name.split('-').at(-1)), status] as const);
  return runs
    .sort(([a], [b]) => a - b)
    .map(([run, status]) => `${run} ${status === 'RUNNING' ? 'runs' : 'ended'}`)
    .join(', ');
}

const attestedEvents = async ({ file }: Stack): Promise<number> => {
  const events = parseAbi(['event Attested(address indexed authority, bytes32 ipfsHash)']);
  const filter = { address: file.registryAddress, events, fromBlock: 0n } as const;
  return (await readingClient(file.rpcUrl).getLogs(filter)).length;
};

async function rehearse({ from, to }: UpgradeOptions, signal: AbortSignal): Promise<void> {
  const { startStack }: typeof import('../stack/stack.ts') = await import(`${from}/local/stack/stack.ts`);
  const stack = await startStack({ directory, revealDelaySeconds: 4, variables: {}, log, signal });
  const expensive = new AbortController();
  try {
    await unlessStopped(signal, rehearseOn(stack, { from, to }, expensive.signal));
  } finally {
    expensive.abort();
    await stack.stop();
  }
}

async function rehearseOn(stack: Stack, { from, to }: UpgradeOptions, expensive: AbortSignal): Promise<void> {
  let deployed = from;
  const client = localClient(stack.file);
  const posted: string[] = [];
  const post = async () => {
    const { attestation } = await client.attest(`Article ${randomUUID()}.`);
    posted.push(attestation.id);
  };
  const chain = ['--chain', String(stack.file.chainId)];
  const waitsForFees = async () =>
    String((await admin(deployed, 'lane', 'status', ...chain)).waitingFor).startsWith('fees above the cap');
  const areConfirmed = async () => {
    const rows = await Promise.all(posted.map((id) => client.get(id)));
    if (rows.some(({ status }) => status === 'failed'))
      throw new RehearsalFailedError('an attestation failed');
    return rows.every(({ status }) => status === 'confirmed');
  };
  void holdFeesUp(stack, expensive);
  for (let number = 0; number < 3; number++) await post();
  await until('the lane waits for fees', waitsForFees);
  log(`runs of the lane: ${await laneRuns(stack)}; deploying with a cap of ${raisedCapGwei} gwei`);
  await deployOver(stack, to, raisedCapGwei);
  deployed = to;
  await until('all confirmed', areConfirmed);
  log(`runs of the lane: ${await laneRuns(stack)}`);
  if (existsSync(`${to}/admin/commands/settings`)) {
    await admin(deployed, 'settings', 'set', ...chain, `maxFeePerGasGwei=${usualCapGwei}`);
    // Functions that read it before go on sending meanwhile.
    await pause(60_000);
    await post();
    await until('the lane waits for fees again', waitsForFees);
    await admin(deployed, 'settings', 'set', ...chain, 'maxFeePerGasGwei=default');
    await until('all confirmed again', areConfirmed);
  }
  const attested = await attestedEvents(stack);
  if (attested !== posted.length)
    throw new RehearsalFailedError(`${posted.length} were posted, and ${attested} attested`);
  log(`${posted.length} posted, each attested once`);
}

async function main(): Promise<number> {
  try {
    const options = parseUpgradeOptions(process.argv.slice(2));
    if (options) await rehearse(options, stopRequest());
    else console.log(upgradeHelp);
    return 0;
  } catch (error) {
    return endOfFailure(error);
  }
}

process.exit(await main());
