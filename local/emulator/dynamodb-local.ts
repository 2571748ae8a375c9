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

/** Pins all files that Maven fetches: the SHA-256 hash of the output of `sha256sum *` in their folder. */
const listHash = '1bed966b5eb504444fb6bc9a3d35bf415cde726bc89a0a6505570d985ebed5c9';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Whether a folder contains exactly the pinned files. */
function isPinned(path: string): boolean {
  const names = readdirSync(path).sort();
  return (
    sha256(names.map((name) => `${sha256(readFileSync(`${path}/${name}`))}  ${name}\n`).join('')) === listHash
  );
}

/** Installs DynamoDB Local if it is not installed. @returns its folder */
async function installJars(supervisor: Supervisor, log: (line: string) => void): Promise<string> {
  const path = `${checkout}/.local/dynamodb-local-${listHash.slice(0, 12)}`;
  if (existsSync(path) && isPinned(path)) return path;
  log('installing DynamoDB Local (first run only)');
  const temporaryPath = `${path}.${process.pid}`;
  for (const one of [temporaryPath, path]) rmSync(one, { recursive: true, force: true });
  const logPath = `${supervisor.directory}/maven.log`;
  const pomPath = `${import.meta.dirname}/dynamodb-local.pom.xml`;
  const args = ['--batch-mode', '--strict-checksums', '--file', pomPath];
  args.push(copyDependencies, '-DincludeScope=runtime', `-DoutputDirectory=${temporaryPath}`);
  const done = await supervisor.run({ name: 'Maven', command: 'mvn', args, env, logPath });
  if (!done) throw new PlainError(`Maven could not fetch it; see the end of ${logPath}`);
  if (!isPinned(temporaryPath))
    throw new PlainError(`the files that Maven fetched to ${temporaryPath} do not have the pinned hashes`);
  try {
    renameSync(temporaryPath, path);
  } catch (error) {
    // Another process has just installed it.
    if (!existsSync(path)) throw error;
    rmSync(temporaryPath, { recursive: true, force: true });
  }
  return path;
}

/**
 * Starts DynamoDB Local without data. It listens on all network interfaces, because it has no option to choose one.
 * @returns its URL
 */
async function start(supervisor: Supervisor, jars: string, port: number): Promise<string> {
  const args = [`-Djava.library.path=${jars}`, '-cp', `${jars}/*`];
  args.push('com.amazonaws.services.dynamodbv2.local.main.ServerRunner');
  args.push('-inMemory', '-disableTelemetry', '-port', String(port));
  const logPath = `${supervisor.directory}/dynamodb-local.log`;
  const child = await supervisor.start({ name: 'DynamoDB Local', command: 'java', args, env, logPath });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child);
  return url;
}

/** Waits until it answers a request. @throws PlainError if its process ends first, as when another process has the port */
async function untilReady(url: string, child: Child): Promise<void> {
  for (let tenth = 0; tenth < 600 && !child.exit(); tenth++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return;
    await pause(100);
  }
  throw new PlainError(`it does not answer at ${url} (${child.exit() ?? 'it is still running'})`);
}

/**
 * Starts AWS's DynamoDB Local without tables. The first run installs it with Maven.
 * @returns its URL
 * @throws PlainError with the reason why this machine cannot run it
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
