import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { checkout, searchPath } from '../checkout.ts';
import type { Supervisor } from '../process/supervise.ts';
import { PlainError } from '../terminal/plain-error.ts';
import { installFolder } from './install-folder.ts';

const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const env = { PATH: searchPath, HOME: process.env.HOME ?? '/' };

/** Pins all files that Maven fetches: the SHA-256 hash of the output of `sha256sum *` in their folder. */
const listHash = '3b6eff39936fa8a9257d243b52611fc4aa2ca09a21d8b8a7d75bc7a480488ade';

/** Options for a quick start and few threads, which matter more here than the speed of a long run. */
const quickStart = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

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
  const logPath = `${supervisor.directory}/maven.log`;
  const pom = `${import.meta.dirname}/dynamodb-local.pom.xml`;
  await installFolder(path, async (draft) => {
    // Two processes at once can damage Maven's usual repository in the home folder.
    const repository = `${draft}.maven`;
    const args = ['--batch-mode', '--strict-checksums', '--file', pom, copyDependencies];
    args.push('-DincludeScope=runtime', `-DoutputDirectory=${draft}`, `-Dmaven.repo.local=${repository}`);
    const success = await supervisor
      .run({ name: 'Maven', command: 'mvn', args, env, logPath })
      .finally(() => rmSync(repository, { recursive: true, force: true }));
    if (!success) throw new PlainError(`Maven could not fetch DynamoDB Local. See the end of ${logPath}.`);
    if (!isPinned(draft))
      throw new PlainError('The files that Maven fetched for DynamoDB Local do not have the pinned hashes.');
  });
  return path;
}

/**
 * Starts AWS's DynamoDB Local on loopback, on a free port, without tables. The first run installs it with Maven.
 * @returns its URL and version
 * @throws PlainError with the reason why this machine cannot run it
 */
export async function startDynamoDbLocal(supervisor: Supervisor, log: (line: string) => void) {
  const jars = await installJars(supervisor, log);
  const [, version = ''] = /DynamoDBLocal-([\d.]+)\.jar/.exec(readdirSync(jars).join()) ?? [];
  const main = ['org.eclipse.jetty.xml.XmlConfiguration', `${import.meta.dirname}/dynamodb-local.xml`];
  const [, url = ''] = await supervisor.startUntil(/^(http:\S+)\/$/m, 60_000, {
    name: 'DynamoDB Local',
    command: 'java',
    args: [...quickStart, `-Djava.library.path=${jars}`, '-cp', `${jars}/*`, ...main],
    env,
    logPath: `${supervisor.directory}/dynamodb-local.log`,
  });
  return { url, version };
}
