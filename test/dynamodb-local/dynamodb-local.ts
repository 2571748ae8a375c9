import { setTimeout as pause } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { checkout, searchPath } from '../../local/checkout.ts';
import { awsEndpoint } from '../../local/emulator/aws-endpoint.ts';
import { freePort } from '../../local/process/free-port.ts';
import { Supervisor } from '../../local/process/supervise.ts';
import { waitForLog } from '../../local/process/wait-for-log.ts';
import { PlainError } from '../../local/terminal/plain-error.ts';
import startEmulator from '../fakes/real/real-emulator.ts';
import { findJava } from './find-java.ts';
import { installJars } from './install-jars.ts';

/**
 * Starts DynamoDB Local with nothing in it. It listens on every interface of the machine, since it has no option for that.
 * @returns its URL @throws JarsInstallError, PythonMissingError, PackagesInstallError, ChildStartError, ChildUnreadyError
 */
async function startDynamoDbLocal(supervisor: Supervisor): Promise<string> {
  const javaHome = await findJava(supervisor, console.log);
  const jars = await installJars(supervisor, javaHome, console.log);
  const port = await freePort(undefined, '');
  const logPath = `${supervisor.directory}/dynamodb-local.log`;
  const name = 'DynamoDB Local';
  const child = await supervisor.start({
    name,
    command: `${javaHome}/bin/java`,
    args: [
      ...[`-Djava.library.path=${jars}`, '-cp', `${jars}/*`],
      'com.amazonaws.services.dynamodbv2.local.main.ServerRunner',
      ...['-inMemory', '-disableTelemetry', '-port', String(port)],
    ],
    env: { PATH: searchPath, HOME: process.env.HOME ?? '/' },
    logPath,
  });
  await waitForLog({ name, child, logPath, pattern: /^Version:.*/m, timeoutMs: 60_000 });
  return `http://127.0.0.1:${port}`;
}

class DynamoDbLocalError extends PlainError {
  override readonly name = 'DynamoDbLocalError';
}

/** Waits until it answers, whatever that is: it prints its version before it listens. @throws DynamoDbLocalError */
async function untilItAnswers(url: string, seconds: number): Promise<void> {
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return;
    await pause(100);
  }
  throw new DynamoDbLocalError(`no DynamoDB Local answers at ${url}: is it running?`);
}

/** Sets up a test run on the emulator, whose tables are in DynamoDB Local: a new one, or that of DYNAMODB_LOCAL_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const supervisor = await Supervisor.open(`${checkout}/.local/dynamodb-local`);
  try {
    const url = process.env.DYNAMODB_LOCAL_URL || (await startDynamoDbLocal(supervisor));
    await untilItAnswers(url, 30);
    const stopEmulator = await startEmulator(project);
    project.provide('dynamoDb', awsEndpoint(url, {}));
    return async () => {
      await stopEmulator();
      await supervisor.stop();
    };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}
