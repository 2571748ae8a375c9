import { checkout } from './checkout.ts';
import { installPackages, type PackagesInstallation, type PythonPackages } from './install-packages.ts';

const emulator: PythonPackages = {
  name: 'the emulator MiniStack',
  requirementsPath: `${checkout}/local/requirements.txt`,
  modules: ['cryptography', 'ministack.app'],
};

/**
 * Makes sure that the pinned emulator is installed, in a virtual environment of its own.
 * @returns the path of the Python that has it. @throws PackagesInstallError
 */
export function installEmulator(installation: PackagesInstallation): Promise<string> {
  return installPackages(emulator, installation);
}
