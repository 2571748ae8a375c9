import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { checkout, searchPath } from '../../local/checkout.ts';
import { ChildStartError, type Supervisor } from '../../local/process/supervise.ts';
import { PlainError } from '../../local/terminal/plain-error.ts';

export class JarsInstallError extends PlainError {
  override readonly name = 'JarsInstallError';
}

const folder = `${checkout}/test/dynamodb-local`;
const listPath = `${folder}/jars.sha256`;
const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const advice = 'or set DYNAMODB_LOCAL_URL to a DynamoDB Local that runs already';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Lists a folder's files as `sha256sum` does. */
function listed(path: string): string {
  const names = readdirSync(path).sort();
  return names.map((name) => `${sha256(readFileSync(`${path}/${name}`))}  ${name}\n`).join('');
}

/** What differs from the list, a line for each file; empty if nothing does. */
export function differences(path: string, wanted = readFileSync(listPath, 'utf8')): string[] {
  const [have, want] = [listed(path), wanted].map((list) => new Set(list.split('\n').filter(Boolean)));
  return [
    ...[...(want ?? [])].filter((line) => !have?.has(line)).map((line) => `missing: ${line}`),
    ...[...(have ?? [])].filter((line) => !want?.has(line)).map((line) => `not listed: ${line}`),
  ];
}

/**
 * Makes sure that DynamoDB Local is there, with every file that it needs and no other, each with the hash that jars.sha256 has.
 * @returns their folder @throws JarsInstallError
 */
export async function installJars(
  supervisor: Supervisor,
  javaHome: string,
  log: (line: string) => void,
): Promise<string> {
  const path = `${checkout}/.local/dynamodb-local-${sha256(readFileSync(listPath)).slice(0, 12)}`;
  if (existsSync(path) && differences(path).length === 0) return path;
  log('installing DynamoDB Local (once; takes a moment)');
  const draft = `${path}.${process.pid}`;
  for (const one of [draft, path]) rmSync(one, { recursive: true, force: true });
  await downloadInto(draft, supervisor, javaHome);
  const wrong = differences(draft);
  if (wrong.length > 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new JarsInstallError(`DynamoDB Local is not what jars.sha256 lists:\n${wrong.join('\n')}`);
  }
  renameSync(draft, path);
  return path;
}

async function downloadInto(draft: string, supervisor: Supervisor, javaHome: string): Promise<void> {
  const logPath = `${supervisor.directory}/maven.log`;
  const maven = {
    name: 'Maven',
    command: 'mvn',
    args: [
      ...['--batch-mode', '--strict-checksums', '--file', `${folder}/pom.xml`, copyDependencies],
      ...['-DincludeScope=runtime', `-DoutputDirectory=${draft}`],
    ],
    env: { PATH: searchPath, HOME: process.env.HOME ?? '/', JAVA_HOME: javaHome },
    logPath,
  };
  const done = await supervisor.run(maven).catch((cause: unknown) => {
    if (!(cause instanceof ChildStartError)) throw cause;
    const how = 'sudo apt install maven (Debian, Ubuntu), brew install maven (macOS)';
    throw new JarsInstallError(`Maven is not installed, which fetches DynamoDB Local: ${how}; ${advice}`);
  });
  if (!done)
    throw new JarsInstallError(`Maven cannot fetch DynamoDB Local: see the end of ${logPath}; ${advice}`);
}
