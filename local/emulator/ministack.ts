import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { checkout, searchPath } from '../checkout.ts';
import { startOnFreePort } from '../process/free-port.ts';
import type { Supervisor } from '../process/supervise.ts';
import { installPackages, type PackagesInstallation, type PythonPackages } from './install-packages.ts';

export interface MiniStackOptions {
  readonly supervisor: Supervisor;
  /** Path of a Python that has MiniStack. */
  readonly python: string;
  readonly port: number | undefined;
}

/**
 * Maximum number of concurrent functions. Each is a Node process of about 80 MB, which stays for a minute. MiniStack
 * ignores the throttling of a task that waits for a token, so such a task ends only at its timeout. The limit is
 * therefore high enough for the API and the workflow together.
 */
const functionConcurrency = 32;

function emulatorEnvironment(directory: string, port: number): Record<string, string> {
  return {
    // Functions run on the first node in this PATH, which is Node 24.
    PATH: searchPath,
    HOME: process.env.HOME ?? '/',
    PYTHONUNBUFFERED: '1',
    // In the state directory, so that two emulators share no file and nothing remains in /tmp.
    TMPDIR: `${directory}/tmp`,
    STATE_DIR: `${directory}/tmp/state`,
    S3_DATA_DIR: `${directory}/tmp/s3`,
    PERSIST_STATE: '0',
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    LAMBDA_EXECUTOR: 'local',
    LAMBDA_ACCOUNT_CONCURRENCY: String(functionConcurrency),
    LAMBDA_WARM_TTL_SECONDS: '60',
    // These two services listen on fixed ports of every interface.
    IOT_MTLS_ENABLED: '0',
    SFTP_ENABLED: '0',
    // If the emulator found a Docker daemon, it would remove the containers of other emulators.
    DOCKER_HOST: 'unix:///nonexistent',
    // The emulator checks the signature of every request, and the caller's policies. These are root's credentials.
    AUTH: 'true',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
}

/**
 * Starts MiniStack on loopback, without state of an earlier run.
 * @returns its URL
 */
export function startMiniStack({ supervisor, python, port }: MiniStackOptions): Promise<string> {
  return startOnFreePort(port, '--emulator-port', (gatewayPort) => start(supervisor, python, gatewayPort));
}

async function start(supervisor: Supervisor, python: string, port: number): Promise<string> {
  const { directory } = supervisor;
  rmSync(`${directory}/tmp`, { recursive: true, force: true });
  mkdirSync(`${directory}/tmp`, { recursive: true });
  // The emulator's script for functions is CommonJS, but package.json of the checkout makes .js files ES modules.
  writeFileSync(`${directory}/tmp/package.json`, '{ "type": "commonjs" }');
  await supervisor.startUntil(/Running on http:\/\/127\.0\.0\.1:\d+/, 60_000, {
    name: 'the emulator',
    command: python,
    args: ['-m', 'ministack'],
    env: emulatorEnvironment(directory, port),
    logPath: `${directory}/emulator.log`,
    cwd: `${directory}/tmp`,
  });
  return `http://127.0.0.1:${port}`;
}

const miniStack: PythonPackages = {
  name: 'the emulator MiniStack',
  requirementsPath: `${checkout}/local/requirements.txt`,
  modules: ['cryptography', 'ministack.app'],
};

/** Installs the pinned emulator, unless it is installed. @returns the path of the Python that has it */
export function installMiniStack(installation: PackagesInstallation): Promise<string> {
  return installPackages(miniStack, installation);
}
