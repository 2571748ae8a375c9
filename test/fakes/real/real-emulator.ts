import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type AwsEndpoint, awsEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { startDynamoDbLocal } from '../../../local/emulator/dynamodb-local.ts';
import { findPython } from '../../../local/emulator/find-python.ts';
import { installMiniStack, startMiniStack } from '../../../local/emulator/ministack.ts';
import { missingPrograms } from '../../../local/emulator/prerequisites.ts';
import { Supervisor } from '../../../local/process/supervise.ts';

declare module 'vitest' {
  interface ProvidedContext {
    emulator: AwsEndpoint;
    /** Endpoint of the tables: DynamoDB Local, or the emulator if this machine cannot run DynamoDB Local. */
    dynamoDb: AwsEndpoint;
  }
}

export interface SharedEmulator {
  readonly endpoint: AwsEndpoint;
  readonly supervisor: Supervisor;
  stop(): Promise<void>;
}

/** Starts an emulator that many real worlds share, each with its own tables and keys. */
export async function startSharedEmulator(log: (line: string) => void): Promise<SharedEmulator> {
  const directory = resolve(`.local/faults-${process.pid}`);
  const supervisor = await Supervisor.open(directory);
  try {
    const python = await installMiniStack({ supervisor, python: findPython(), log });
    const url = await startMiniStack({ supervisor, python, port: undefined });
    const stop = async () => {
      await supervisor.stop();
      rmSync(directory, { recursive: true, force: true });
    };
    return { endpoint: awsEndpoint(url, {}), supervisor, stop };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

/** Starts the emulator and DynamoDB Local for a test run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { endpoint, supervisor, stop } = await startSharedEmulator(console.log);
  project.provide('emulator', endpoint);
  const missing = missingPrograms({ java: true, chain: false });
  if (missing !== undefined) {
    console.log(`SKIPPED: tests that need DynamoDB Local (${missing})`);
    project.provide('dynamoDb', endpoint);
    return stop;
  }
  try {
    const { url } = await startDynamoDbLocal(supervisor, console.log);
    project.provide('dynamoDb', awsEndpoint(url, {}));
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
