import { spawnSync } from 'node:child_process';
import { environmentNames } from '../../../functions/domain/settings.ts';

/** The program exits at once: open connections of a module must not count as its start. */
const program = `
const before = performance.now();
await import(process.argv[1]);
process.stdout.write(String(performance.now() - before));
process.exit();`;

/** Variables that modules need to load. Nothing is called, so only values that are parsed have to be valid. */
const variables = {
  ...Object.fromEntries(environmentNames.map((name) => [name, 'none'])),
  SETTINGS: JSON.stringify({
    chains: [{ chainId: 1, name: 'None', registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' }],
  }),
  ROUTES: '{}',
  AWS_REGION: 'us-east-1',
};

export interface StartTime {
  /** Time from before the module's import to its end, top-level awaits included. */
  readonly importMs: number;
  /** Time from the process's start to its end. */
  readonly processMs: number;
}

export class ModuleImportError extends Error {
  override readonly name = 'ModuleImportError';
}

/** Imports a module in a fresh process of this Node. @throws ModuleImportError when it cannot be loaded. */
export function timeImport(path: string): StartTime {
  const before = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program, path],
    { env: variables, encoding: 'utf8' },
  );
  const processMs = performance.now() - before;
  if (status !== 0) throw new ModuleImportError(`${path} cannot be loaded: ${stderr}`);
  return { importMs: Number(stdout), processMs };
}
