import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type AwsEndpoint, awsEndpoint } from '../../local/aws-endpoint.ts';
import { startEmulator } from '../../local/emulator.ts';
import { findPython } from '../../local/find-python.ts';
import { installEmulator } from '../../local/install-emulator.ts';
import { Supervisor } from '../../local/supervise.ts';

declare module 'vitest' {
  interface ProvidedContext {
    emulator: AwsEndpoint;
  }
}

/** Starts the emulator that all real worlds of a test run share, each with tables and a key of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = resolve(`.local/faults-${process.pid}`);
  const supervisor = await Supervisor.open(directory);
  try {
    const python = await installEmulator({ supervisor, python: findPython(), log: console.log });
    const url = await startEmulator({ supervisor, python, port: undefined });
    project.provide('emulator', awsEndpoint(url, {}));
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return async () => {
    await supervisor.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}
