import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { checkout, searchPath } from '../checkout.ts';
import { startOnFreePort } from '../process/free-port.ts';
import type { Child, Supervisor } from '../process/supervise.ts';
import { PlainError } from '../terminal/plain-error.ts';

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
async function installJars(supervisor: Supervisor, log: (line: string) => void): Promise<string> {
  const path = `${checkout}/.local/dynamodb-local-${listHash.slice(0, 12)}`;
  if (existsSync(path) && isPinned(path)) return path;
  log('installing DynamoDB Local (first run only)');
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
  try {
    renameSync(draft, path);
  } catch (error) {
    // Another process has just installed it.
    if (!existsSync(path)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
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
 * Starts AWS's DynamoDB Local with no tables. Maven fetches it once.
 * @returns its URL
 * @throws PlainError saying why this machine cannot run it
 */
export async function startDynamoDbLocal(
  supervisor: Supervisor,
  log: (line: string) => void,
): Promise<string> {
  try {
    const jars = await installJars(supervisor, log);
    return await startOnFreePort(undefined, '', (port) => start(supervisor, jars, port));
  } catch (error) {
    throw new PlainError(`DynamoDB Local does not start: ${(error as Error).message}. It needs ${needs}.`);
  }
}
