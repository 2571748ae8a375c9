import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { checkout, searchPath } from '../checkout.ts';
import { startOnFreePort } from '../process/free-port.ts';
import { startDynamoDbLocal } from './dynamodb-local.ts';
import { installPackages, type PackagesInstallation, type PythonPackages } from './install-packages.ts';
import type { Needs } from './prerequisites.ts';

/** Folder with LocalStack's requirements, its settings, and its plugin, which runs functions without Docker. */
const folder = `${checkout}/local/localstack`;

const localStack: PythonPackages = {
  name: 'the emulator LocalStack',
  requirementsPath: `${folder}/requirements.txt`,
  sourcesPath: `${folder}/sources.txt`,
  modules: ['localstack.aws.app', 'airspeed'],
};

/** LocalStack is written for Python 3.13. The plugin makes it run on older versions. DynamoDB Local needs Java. */
export const localStackNeeds: Needs = { python: { oldest: 11, newest: 13 }, java: true };

interface LocalStackOptions extends PackagesInstallation {
  readonly port: number | undefined;
}

function environment(directory: string, port: number, dynamoDb: string): Record<string, string> {
  return {
    ...(parseEnv(readFileSync(`${folder}/settings.env`, 'utf8')) as Record<string, string>),
    // Functions run on the first node in this PATH, which is Node 24.
    PATH: searchPath,
    HOME: process.env.HOME ?? '/',
    PYTHONUNBUFFERED: '1',
    PYTHONPATH: folder,
    // In the state directory, so that two emulators share no file and nothing remains in /tmp.
    TMPDIR: `${directory}/tmp`,
    FILESYSTEM_ROOT: `${directory}/tmp/localstack`,
    // By default, LocalStack reads the user's profile and writes the user's caches.
    CONFIG_DIR: `${directory}/tmp`,
    XDG_CACHE_HOME: `${directory}/tmp/cache`,
    GATEWAY_LISTEN: `127.0.0.1:${port}`,
    DNS_ADDRESS: '0',
    LAMBDA_RUNTIME_EXECUTOR: 'node',
    DYNAMODB_LOCAL_PORT: new URL(dynamoDb).port,
    // LocalStack would look for a Docker daemon.
    DOCKER_HOST: 'unix:///nonexistent',
  };
}

/**
 * Starts LocalStack on loopback with DynamoDB Local, without Docker and without state of an earlier run.
 * @returns its URL, and the versions of both
 */
export async function startLocalStack(options: LocalStackOptions) {
  const { supervisor, port, log } = options;
  const { directory } = supervisor;
  const dynamoDb = await startDynamoDbLocal(supervisor, log);
  const python = await installPackages(localStack, options);
  rmSync(`${directory}/tmp`, { recursive: true, force: true });
  mkdirSync(`${directory}/tmp`, { recursive: true });
  return startOnFreePort(port, '--emulator-port', async (gateway) => {
    const [, version = ''] = await supervisor.startUntil(/version: (\S+)[\s\S]*^Ready\.$/m, 120_000, {
      name: 'the emulator',
      command: python,
      args: ['-m', 'localstack.runtime.main'],
      env: environment(directory, gateway, dynamoDb.url),
      logPath: `${directory}/emulator.log`,
      cwd: `${directory}/tmp`,
    });
    return { url: `http://127.0.0.1:${gateway}`, version, dynamoDbVersion: dynamoDb.version };
  });
}
