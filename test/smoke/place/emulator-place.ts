import { readFileSync } from 'node:fs';
import { checkout, searchPath, toolsPath } from '../../../local/checkout.ts';
import { awsVariables, clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { Supervisor } from '../../../local/process/supervise.ts';
import { deployService } from '../../../local/stack/deploy-service.ts';
import { usualStackName } from '../../../local/stack/platform.ts';
import { type Stack, startStack } from '../../../local/stack/stack.ts';
import { stackFilePath } from '../../../local/stack/stack-file.ts';
import type { SettingsInput } from '../../../local/stack/stack-settings.ts';
import { backUpTables, restoreTables } from '../../restore/restore-tables.ts';
import { demand } from '../demand.ts';
import { onlyAws } from '../scene.ts';
import type { Place } from './place.ts';

const directory = `${checkout}/.local/smoke`;

/** Long enough for what has to happen while an attestation is in it. */
const revealDelaySeconds = 20;

const readSettings = (): SettingsInput => JSON.parse(readFileSync(`${directory}/settings.json`, 'utf8'));

interface Ways {
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Makes the place on this machine, with an emulator and a chain of its own. Nothing is started before `deploy`. */
export function emulatorPlace({ log, signal }: Ways): Place {
  let started: Stack | undefined;
  const stack = (): Stack => started ?? fail();
  let settings: SettingsInput | undefined;
  return {
    isAws: false,
    keepsData: true,
    title: 'a local emulator and chain',
    stackName: usualStackName,
    get aws() {
      return clientOptions(stack().endpoint);
    },
    adminOptions: ['--stack-file', stackFilePath(directory)],
    check: async () => 'an emulator knows nobody',
    bootstrapProblem: async () => onlyAws.bootstrap,
    deploy: async (waitFor) => {
      started = await startStack({
        directory,
        revealDelaySeconds,
        variables: {},
        log,
        signal,
        wait: waitFor,
      });
      settings = readSettings();
      return { ...started.file, outputs: started.outputs };
    },
    update: async (changes) => {
      settings = { ...(settings ?? readSettings()), ...changes };
      const given = { endpoint: stack().endpoint, stackName: usualStackName, settings };
      await withSupervisor('update', (supervisor) => deployService({ supervisor, ...given }));
    },
    settings: () => settings ?? readSettings(),
    markMoment: async () => {
      const { endpoint, outputs } = stack();
      const backups = await backUpTables(endpoint, outputs);
      return { restore: () => restoreTables(endpoint, backups) };
    },
    destroy: () => destroy(stack()),
    leftBehind: () => [],
    stop: async () => started?.stop(),
  };
}

function fail(): never {
  demand(false, 'nothing is deployed yet');
}

async function withSupervisor(
  name: string,
  act: (supervisor: Supervisor) => Promise<unknown>,
): Promise<void> {
  const supervisor = await Supervisor.open(`${directory}/${name}`);
  try {
    await act(supervisor);
  } finally {
    await supervisor.stop();
  }
}

/** Destroys the stack as it was deployed last. */
async function destroy({ endpoint }: Stack): Promise<void> {
  await withSupervisor('update', async (supervisor) => {
    const logPath = `${supervisor.directory}/destroy.log`;
    const context = {
      emulator: 'true',
      settings: `${supervisor.directory}/settings.json`,
      stackName: usualStackName,
    };
    const destroyed = await supervisor.run({
      name: 'destroy',
      command: `${toolsPath}/cdklocal`,
      args: [
        ...['destroy', '--force', '--output', `${supervisor.directory}/cdk.out`],
        ...Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      env: { PATH: searchPath, HOME: process.env.HOME ?? '/', ...awsVariables(endpoint) },
      logPath,
      cwd: checkout,
    });
    demand(destroyed, `the stack cannot be destroyed: see the end of ${logPath}`);
  });
}
