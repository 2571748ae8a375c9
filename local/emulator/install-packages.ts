import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { checkout, searchPath } from '../checkout.ts';
import type { Supervisor } from '../process/supervise.ts';
import { PlainError } from '../terminal/plain-error.ts';
import { installFolder } from './install-folder.ts';

/** A pinned set of Python packages. */
export interface PythonPackages {
  /** Name for messages. */
  readonly name: string;
  readonly requirementsPath: string;
  /** Requirements that PyPI has only as sources. The setuptools of `requirementsPath` builds them. */
  readonly sourcesPath?: string;
  /** Modules that can be imported if the packages are installed. */
  readonly modules: readonly string[];
}

export interface PackagesInstallation {
  readonly supervisor: Supervisor;
  /** The command of a Python that can make virtual environments. */
  readonly python: string;
  readonly log: (line: string) => void;
}

/** Installs no dependencies, because the files list all of them. */
const pipInstall = ['-m', 'pip', 'install', '--require-hashes', '--no-deps'];

/** Returns the folder for this set of requirements. All stacks of this checkout share it. */
function environmentPath({ requirementsPath, sourcesPath }: PythonPackages): string {
  const hash = createHash('sha256').update(readFileSync(requirementsPath));
  if (sourcesPath) hash.update(readFileSync(sourcesPath));
  return `${checkout}/.local/python-${hash.digest('hex').slice(0, 12)}`;
}

/**
 * Installs the packages in their own virtual environment, unless they are installed.
 * @returns the path of the Python that has them
 */
export async function installPackages(
  packages: PythonPackages,
  { supervisor, python, log }: PackagesInstallation,
): Promise<string> {
  const path = environmentPath(packages);
  const logPath = `${supervisor.directory}/install.log`;
  const env = { PATH: searchPath, HOME: process.env.HOME ?? '/', PIP_DISABLE_PIP_VERSION_CHECK: '1' };
  const run = (name: string, command: string, ...args: string[]) =>
    supervisor.run({ name, command, args, env, logPath });
  const canImport = (environment: string) =>
    run('check packages', `${environment}/bin/python`, '-c', `import ${packages.modules.join(', ')}`);

  if (existsSync(`${path}/bin/python`) && (await canImport(path))) return `${path}/bin/python`;
  log(`installing ${packages.name} (first run only)`);
  await installFolder(path, async (draft) => {
    const pip = (...args: string[]) => run('install packages', `${draft}/bin/python`, ...pipInstall, ...args);
    const isInstalled =
      (await run('create environment', python, '-m', 'venv', draft)) &&
      // Only wheels, because building a package runs its code.
      (await pip('--only-binary', ':all:', '-r', packages.requirementsPath)) &&
      (!packages.sourcesPath || (await pip('--no-build-isolation', '-r', packages.sourcesPath)));
    const advice = `Check the network, and see the end of ${logPath}.`;
    if (!isInstalled) throw new PlainError(`Cannot install ${packages.name} from PyPI. ${advice}`);
  });
  return `${path}/bin/python`;
}
