import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { checkout } from '../../local/checkout.ts';
import { findPython } from '../../local/emulator/find-python.ts';
import { installPackages, type PythonPackages } from '../../local/emulator/install-packages.ts';
import { Supervisor } from '../../local/process/supervise.ts';

const directory = `${checkout}/.local/templates`;

const cfnLint: PythonPackages = {
  name: 'cfn-lint',
  requirementsPath: `${checkout}/test/templates/requirements.txt`,
  modules: ['cfnlint'],
};

export async function installCfnLint(): Promise<string> {
  const supervisor = await Supervisor.open(`${directory}/install`);
  try {
    return await installPackages(cfnLint, { supervisor, python: findPython(), log: console.log });
  } finally {
    await supervisor.stop();
  }
}

/** The CDK adds DependsOn even if a reference implies it. */
const ignored = 'W3005';

/** Runs a command on JSON files. @returns its output */
function outputOf(command: string, args: readonly string[], files: Readonly<Record<string, unknown>>) {
  mkdirSync(directory, { recursive: true });
  const paths = Object.entries(files).map(([name, content]) => {
    const path = `${directory}/${name}.json`;
    writeFileSync(path, JSON.stringify(content));
    return path;
  });
  const { stdout, stderr, status } = spawnSync(command, [...args, ...paths], { encoding: 'utf8' });
  return { stdout, stderr, status };
}

export function lintTemplates(python: string, templates: Readonly<Record<string, unknown>>): string[] {
  // The installed command contains the path of a folder that was renamed after the installation.
  const run = ['-c', 'from cfnlint.runner import main; main()'];
  const args = [...run, '--format', 'json', '--ignore-checks', ignored, '--'];
  const { stdout, stderr } = outputOf(python, args, templates);
  if (stdout === '') throw new Error(`cfn-lint does not run: ${stderr}`);
  const found: { Filename: string; Rule: { Id: string }; Message: string }[] = JSON.parse(stdout);
  return found.map(({ Filename, Rule, Message }) => {
    const name = Filename.slice(directory.length + 1, -'.json'.length);
    return `${name} ${Rule.Id} ${Message}`;
  });
}

export function validateDefinition(definition: string): string {
  const files = { definition: JSON.parse(definition) };
  const { stdout, stderr, status } = outputOf('asl-validator', ['--json-path'], files);
  if (status === 0) return '';
  return `${stdout}${stderr}`;
}
