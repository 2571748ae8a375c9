import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { findForge } from '../../contracts/forge/find-forge.ts';
import { checkout, searchPath } from '../../local/checkout.ts';
import { findPython } from '../../local/emulator/find-python.ts';
import { installPackages, type PythonPackages } from '../../local/emulator/install-packages.ts';
import { Supervisor } from '../../local/process/supervise.ts';

const directory = `${checkout}/.local/symbolic`;

const halmos: PythonPackages = {
  name: 'halmos',
  requirementsPath: `${checkout}/contracts/forge/requirements.txt`,
  modules: ['halmos'],
};

async function installHalmos(): Promise<string> {
  const supervisor = await Supervisor.open(`${directory}/install`);
  try {
    const log = (line: string) => console.error(line);
    return await installPackages(halmos, { supervisor, python: findPython(), log });
  } finally {
    await supervisor.stop();
  }
}

/** Proves the properties of contracts/proofs for all arguments. @returns whether all hold */
async function prove(): Promise<boolean> {
  const python = await installHalmos();
  // halmos runs forge. It follows each branch that it cannot decide within 100 ms, so a short limit loses no path.
  const { status } = spawnSync(
    python,
    [
      ...['-m', 'halmos'],
      ...['--root', checkout, '--forge-build-out', '.local/symbolic/out', '--no-status'],
      ...['--solver-command', `${dirname(python)}/z3`, '--solver-threads', '1'],
      ...['--solver-timeout-branching', '100ms'],
    ],
    {
      cwd: checkout,
      stdio: 'inherit',
      env: { ...process.env, FOUNDRY_PROFILE: 'symbolic', PATH: `${dirname(findForge())}:${searchPath}` },
    },
  );
  return status === 0;
}

/** Proofs of a few minutes, then long fuzz and invariant runs. */
const proved = await prove();
const env = { ...process.env, FOUNDRY_PROFILE: 'deep' };
const fuzz = spawnSync(findForge(), ['test', '-j', '1'], { stdio: 'inherit', env });
process.exitCode = proved && fuzz.status === 0 ? 0 : 1;
