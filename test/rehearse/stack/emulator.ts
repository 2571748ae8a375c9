import { readFileSync } from 'node:fs';
import { checkout } from '../../../local/checkout.ts';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { Supervisor } from '../../../local/process/supervise.ts';
import { deployService } from '../../../local/stack/deploy-service.ts';
import { usualStackName as stackName } from '../../../local/stack/platform.ts';
import type { Stack } from '../../../local/stack/stack.ts';
import { stackFilePath } from '../../../local/stack/stack-file.ts';
import type { SettingsInput } from '../../../local/stack/stack-settings.ts';
import { demand, type Ways } from '../run.ts';
import type { Place } from '../scene.ts';
import { deleteStack } from './cloudformation.ts';
import { backUpTables, tablesOf } from './tables.ts';

/** Long enough for the steps that happen during the delay. */
const revealDelaySeconds = 20;

/** Checkouts of the first deployment and of the upgrade. */
export interface Versions {
  readonly from: string;
  readonly to: string;
}

/** Makes the place on this machine, with an emulator and a chain of its own. Nothing is started before `deploy`. */
export function emulatorPlace(
  name: string,
  { log, signal }: Ways,
  { from, to }: Versions = { from: checkout, to: checkout },
): Place {
  const directory = `${checkout}/.local/rehearse/${name}`;
  let starting: Promise<Stack> | undefined;
  let started: Stack | undefined;
  let settings: SettingsInput | undefined;
  let version = from;
  const stack = (): Stack => {
    demand(started !== undefined, 'nothing is deployed yet');
    return started;
  };
  const deployedSettings = (): SettingsInput =>
    settings ?? JSON.parse(readFileSync(`${directory}/settings.json`, 'utf8'));
  const ofAws = () => ({ aws: clientOptions(stack().endpoint), stackName });
  return {
    isAws: false,
    title: 'a local emulator and chain',
    stackName,
    get aws() {
      return ofAws().aws;
    },
    get version() {
      return version;
    },
    adminOptions: ['--stack-file', stackFilePath(directory)],
    deploy: async () => {
      const stackOf: typeof import('../../../local/stack/stack.ts') = await import(
        `${from}/local/stack/stack.ts`
      );
      starting = stackOf.startStack({ directory, revealDelaySeconds, variables: {}, log, signal });
      started = await starting;
      return { ...started.file, outputs: started.outputs };
    },
    update: async (changes) => {
      const changed = { ...deployedSettings(), ...changes };
      const supervisor = await Supervisor.open(`${directory}/update`);
      try {
        const { endpoint } = stack();
        await deployService({ supervisor, endpoint, stackName, settings: changed, version: to });
      } finally {
        await supervisor.stop();
      }
      settings = changed;
      version = to;
    },
    settings: deployedSettings,
    markMoment: () => backUpTables(ofAws(), tablesOf(stack().outputs)),
    destroy: () => deleteStack(ofAws()),
    leftBehind: () => [],
    // An aborted start stops everything itself.
    stop: async () => (await starting?.catch(() => undefined))?.stop(),
  };
}
