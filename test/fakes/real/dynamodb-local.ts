import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { checkout, searchPath } from '../../../local/checkout.ts';
import { type AwsEndpoint, awsEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { startOnFreePort } from '../../../local/process/free-port.ts';
import type { Child, Supervisor } from '../../../local/process/supervise.ts';
import { PlainError } from '../../../local/terminal/plain-error.ts';

const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const needs = 'Java 17 or later and Maven (Debian: apt-get install openjdk-17-jre-headless maven)';
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
  const args = [
    '--batch-mode',
    '--strict-checksums',
    '--file',
    `${import.meta.dirname}/dynamodb-local.pom.xml`,
  ];
  args.push(copyDependencies, '-DincludeScope=runtime', `-DoutputDirectory=${draft}`);
  const done = await supervisor.run({ name: 'Maven', command: 'mvn', args, env, logPath });
  if (!done) throw new PlainError(`Maven cannot fetch it: see the end of ${logPath}`);
  if (!isPinned(draft))
    throw new PlainError(`the files that Maven fetched to ${draft} do not have the pinned hashes`);
  renameSync(draft, path);
  return path;
}

/**
 * Starts DynamoDB Local with nothing in it. It listens on every interface of the machine, since it has no option for that.
 * @returns its URL
 */
async function start(supervisor: Supervisor, jars: string, port: number): Promise<string> {
  const args = [`-Djava.library.path=${jars}`, '-cp', `${jars}/*`];
  args.push('com.amazonaws.services.dynamodbv2.local.main.ServerRunner');
  args.push('-inMemory', '-disableTelemetry', '-port', String(port));
  const logPath = `${supervisor.directory}/dynamodb-local.log`;
  const child = await supervisor.start({ name: 'DynamoDB Local', command: 'java', args, env, logPath });
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(url, child);
  return url;
}

/** Waits until it answers any request. @throws PlainError when its process ends first: another process has the port */
async function untilItAnswers(url: string, child: Child): Promise<void> {
  for (let tenth = 0; tenth < 600 && !child.exit(); tenth++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return;
    await pause(100);
  }
  throw new PlainError(`it does not answer at ${url} (${child.exit() ?? 'it still runs'})`);
}

/**
 * Starts AWS's DynamoDB Local, which is closer to DynamoDB than the emulator, with no tables. Maven fetches it once.
 * @returns its endpoint; `undefined`, with a line that says why, if this machine cannot run it
 */
export async function startDynamoDbLocal(supervisor: Supervisor): Promise<AwsEndpoint | undefined> {
  try {
    const jars = await installJars(supervisor);
    const url = await startOnFreePort(undefined, '', (port) => start(supervisor, jars, port));
    return awsEndpoint(url, {});
  } catch (error) {
    console.log(`SKIPPED: tests that need DynamoDB Local (${(error as Error).message}). It needs ${needs}.`);
    return undefined;
  }
}
