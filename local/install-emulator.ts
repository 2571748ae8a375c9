import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { checkout, searchPath } from './checkout.ts';
import { PlainError } from './plain-error.ts';
import type { Supervisor } from './supervise.ts';

export class EmulatorInstallError extends PlainError {
  override readonly name = 'EmulatorInstallError';
  constructor(logPath: string) {
    super(
      `the emulator cannot be installed from PyPI: see the end of ${logPath} (is the network reachable?)`,
    );
  }
}

export interface EmulatorInstallation {
  readonly supervisor: Supervisor;
  /** The command of a Python that can make virtual environments. */
  readonly python: string;
  readonly log: (line: string) => void;
}

const requirementsPath = `${checkout}/local/requirements.txt`;

/** One environment for each set of requirements, shared by every stack of this checkout. */
function environmentPath(): string {
  const hash = createHash('sha256').update(readFileSync(requirementsPath)).digest('hex').slice(0, 12);
  return `${checkout}/.local/python-${hash}`;
}

/**
 * Makes sure that the pinned emulator is installed, in a virtual environment of its own.
 * @returns the path of the Python that has it. @throws EmulatorInstallError
 */
export async function installEmulator({ supervisor, python, log }: EmulatorInstallation): Promise<string> {
  const path = environmentPath();
  const logPath = `${supervisor.directory}/install.log`;
  const env = { PATH: searchPath, HOME: process.env.HOME ?? '/', PIP_DISABLE_PIP_VERSION_CHECK: '1' };
  const run = (name: string, command: string, ...args: string[]) =>
    supervisor.run({ name, command, args, env, logPath });
  const works = (environment: string) =>
    run('check emulator', `${environment}/bin/python`, '-c', 'import cryptography, ministack.app');

  if (existsSync(`${path}/bin/python`) && (await works(path))) return `${path}/bin/python`;
  log('installing the emulator MiniStack (once; takes a moment)');
  // Made aside and then renamed: two stacks may start at once, and an interrupted installation leaves nothing.
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(`${checkout}/.local`, { recursive: true });
  const installed =
    (await run('create environment', python, '-m', 'venv', draft)) &&
    (await run('install emulator', `${draft}/bin/python`, '-m', 'pip', 'install', '-r', requirementsPath));
  if (!installed) {
    rmSync(draft, { recursive: true, force: true });
    throw new EmulatorInstallError(logPath);
  }
  replaceEnvironment(draft, path);
  return `${path}/bin/python`;
}

function replaceEnvironment(draft: string, path: string): void {
  if (existsSync(path)) renameSync(path, `${draft}.old`);
  try {
    renameSync(draft, path);
  } catch (error) {
    // Another stack has just made it, from the same requirements.
    if (!existsSync(path)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
  rmSync(`${draft}.old`, { recursive: true, force: true });
}
