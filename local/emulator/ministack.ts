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
 * Functions that may run at once. Each is a Node process of about 80 MB, kept for a minute. On the emulator, a state that
 * exceeds the limit waits for its timeout, so the limit is high enough for the API and the workflow together.
 */
const functionConcurrency = 32;

function emulatorEnvironment(directory: string, port: number): Record<string, string> {
  return {
    // Functions run on the first node in this PATH, which is Node 24.
    PATH: searchPath,
    HOME: process.env.HOME ?? '/',
    PYTHONUNBUFFERED: '1',
    // Below the state directory, so that two emulators share no file and nothing is left in /tmp.
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
    // With a Docker daemon it would remove the containers of other emulators on this machine.
    DOCKER_HOST: 'unix:///nonexistent',
    // Every request is signed, and is evaluated against the policies of who signed it; these credentials are root's.
    AUTH: 'true',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
}

/**
 * Starts MiniStack on loopback, with nothing kept from the last time.
 * @returns its address.
 */
export function startMiniStack({ supervisor, python, port }: MiniStackOptions): Promise<string> {
  return startOnFreePort(port, '--emulator-port', (gatewayPort) => start(supervisor, python, gatewayPort));
}

async function start(supervisor: Supervisor, python: string, port: number): Promise<string> {
  const { directory } = supervisor;
  rmSync(`${directory}/tmp`, { recursive: true, force: true });
  mkdirSync(`${directory}/tmp`, { recursive: true });
  // The emulator's own script for functions is CommonJS, and the checkout around it says that .js is not.
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

/**
 * Makes sure that the pinned emulator is installed, in a virtual environment of its own.
 * @returns the path of the Python that has it.
 */
export function installMiniStack(installation: PackagesInstallation): Promise<string> {
  return installPackages(miniStack, installation);
}
