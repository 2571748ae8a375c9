import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { checkout, searchPath } from '../../../local/checkout.ts';
import { awsEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { freePort } from '../../../local/process/free-port.ts';
import { Supervisor } from '../../../local/process/supervise.ts';
import { PlainError } from '../../../local/terminal/plain-error.ts';
import startEmulator from '../../fakes/real/real-emulator.ts';

const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const advice = 'or set DYNAMODB_LOCAL_URL to a DynamoDB Local that runs already';
const env = { PATH: searchPath, HOME: process.env.HOME ?? '/' };

/** Hash of the list of all files that pom.xml brings, as `sha256sum *` prints it in their folder. */
const listHash = '1bed966b5eb504444fb6bc9a3d35bf415cde726bc89a0a6505570d985ebed5c9';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Whether a folder holds what is pinned, and nothing else. */
function isPinned(path: string): boolean {
  const names = readdirSync(path).sort();
  return (
    sha256(names.map((name) => `${sha256(readFileSync(`${path}/${name}`))}  ${name}\n`).join('')) === listHash
  );
}

/** Makes sure that DynamoDB Local is there. @returns its folder */
async function installJars(supervisor: Supervisor): Promise<string> {
  const path = `${checkout}/.local/dynamodb-local-${listHash.slice(0, 12)}`;
  if (existsSync(path) && isPinned(path)) return path;
  console.log('installing DynamoDB Local (once; takes a moment)');
  const draft = `${path}.${process.pid}`;
  for (const one of [draft, path]) rmSync(one, { recursive: true, force: true });
  const logPath = `${supervisor.directory}/maven.log`;
  const args = ['--batch-mode', '--strict-checksums', '--file', `${import.meta.dirname}/pom.xml`];
  args.push(copyDependencies, '-DincludeScope=runtime', `-DoutputDirectory=${draft}`);
  const done = await supervisor.run({ name: 'Maven', command: 'mvn', args, env, logPath });
  if (!done) throw new PlainError(`Maven cannot fetch DynamoDB Local: see the end of ${logPath}; ${advice}`);
  if (!isPinned(draft)) throw new PlainError(`what Maven fetched to ${draft} is not what is pinned`);
  renameSync(draft, path);
  return path;
}

/**
 * Starts DynamoDB Local with nothing in it. It listens on every interface of the machine, since it has no option for that.
 * @returns its URL
 */
async function startDynamoDbLocal(supervisor: Supervisor): Promise<string> {
  const jars = await installJars(supervisor);
  const port = await freePort(undefined, '');
  const args = [`-Djava.library.path=${jars}`, '-cp', `${jars}/*`];
  args.push('com.amazonaws.services.dynamodbv2.local.main.ServerRunner');
  args.push('-inMemory', '-disableTelemetry', '-port', String(port));
  const logPath = `${supervisor.directory}/dynamodb-local.log`;
  await supervisor.start({ name: 'DynamoDB Local', command: 'java', args, env, logPath });
  return `http://127.0.0.1:${port}`;
}

/** Waits until it answers, in any way. */
async function untilItAnswers(url: string): Promise<void> {
  for (let tenth = 0; tenth < 600; tenth++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return;
    await pause(100);
  }
  throw new PlainError(`no DynamoDB Local answers at ${url}; it needs Java 17 or later`);
}

/** Sets up a test run on the emulator, whose tables are in DynamoDB Local: a new one, or that of DYNAMODB_LOCAL_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const supervisor = await Supervisor.open(`${checkout}/.local/dynamodb-local`);
  try {
    const url = process.env.DYNAMODB_LOCAL_URL || (await startDynamoDbLocal(supervisor));
    await untilItAnswers(url);
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
