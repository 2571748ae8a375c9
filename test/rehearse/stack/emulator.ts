import { readFileSync } from 'node:fs';
import { checkout } from '../../../local/checkout.ts';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { Supervisor } from '../../../local/process/supervise.ts';
import { deployService } from '../../../local/stack/deploy-service.ts';
import { defaultStackName as stackName } from '../../../local/stack/platform.ts';
import type { Stack } from '../../../local/stack/stack.ts';
import { stackFilePath } from '../../../local/stack/stack-file.ts';
import type { SettingsInput } from '../../../local/stack/stack-settings.ts';
import { assert } from '../conditions.ts';
import type { RunOptions } from '../rehearsal.ts';
import type { Target } from '../target.ts';
import { deleteStack } from './cloudformation.ts';
import { backUpTables, tablesOf } from './tables.ts';

/** Long enough for the steps that happen during the delay. */
const revealDelaySeconds = 20;

/** Checkouts of the first deployment and of the upgrade. */
export interface Versions {
  readonly from: string;
  readonly to: string;
}

/** Makes the target on this machine, with its own emulator and chain. Nothing starts before `deploy`. */
export function emulatorTarget(
  name: string,
  { log, signal }: RunOptions,
  { from, to }: Versions = { from: checkout, to: checkout },
): Target {
  const directory = `${checkout}/.local/rehearse/${name}`;
  let starting: Promise<Stack> | undefined;
  let started: Stack | undefined;
  let settings: SettingsInput | undefined;
  let repository = from;
  const stack = (): Stack => {
    assert(started !== undefined, 'nothing is deployed yet');
    return started;
  };
  const deployedSettings = (): SettingsInput =>
    settings ?? JSON.parse(readFileSync(`${directory}/settings.json`, 'utf8'));
  const awsStack = () => ({ aws: clientOptions(stack().endpoint), stackName });
  return {
    isAws: false,
    title: 'a local emulator and chain',
    stackName,
    get aws() {
      return awsStack().aws;
    },
    get repository() {
      return repository;
    },
    adminOptions: ['--stack-file', stackFilePath(directory)],
    deploy: async () => {
      const stackModule: typeof import('../../../local/stack/stack.ts') = await import(
        `${from}/local/stack/stack.ts`
      );
      starting = stackModule.startStack({ directory, revealDelaySeconds, variables: {}, log, signal });
      started = await starting;
      return { ...started.file, outputs: started.outputs };
    },
    update: async (changes) => {
      const changed = { ...deployedSettings(), ...changes };
      const supervisor = await Supervisor.open(`${directory}/update`);
      try {
        const { endpoint } = stack();
        await deployService({ supervisor, endpoint, stackName, settings: changed, repository: to });
      } finally {
        await supervisor.stop();
      }
      settings = changed;
      repository = to;
    },
    settings: deployedSettings,
    prepareRestore: () => backUpTables(awsStack(), tablesOf(stack().outputs)),
    destroy: () => deleteStack(awsStack()),
    leftBehind: () => [],
    // A start that is aborted stops all its processes.
    stop: async () => (await starting?.catch(() => undefined))?.stop(),
  };
}
