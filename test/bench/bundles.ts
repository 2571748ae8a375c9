import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { environmentNames } from '../../functions/domain/settings.ts';
import { type FunctionFile, functionAccess } from '../../lib/access/function-access.ts';
import { bundleFunctions } from '../../lib/bundle-functions.ts';
import { type Bench, type Table, withinLimit } from './report.ts';
import { timeTasks } from './timing.ts';

const rounds = 7;

const limits = { bundleBytes: 1_000_000, importMs: 250 };

/** Every function of the stack, by its file below functions/. */
const serviceFiles = Object.keys(functionAccess) as FunctionFile[];

/** The program exits at once, because open connections of a module would keep it running. */
const program = `
const before = performance.now();
await import(process.argv[1]);
process.stdout.write(String(performance.now() - before));
process.exit();`;

/** Variables without which modules do not load. Nothing is called, so only values that are parsed have to be valid. */
const variables = {
  ...Object.fromEntries(environmentNames.map((name) => [name, 'none'])),
  SETTINGS: JSON.stringify({
    chains: [{ chainId: 1, name: 'None', registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' }],
  }),
  ROUTES: '{}',
  AWS_REGION: 'us-east-1',
};

/** Imports a module in a fresh process. @returns how long it took, top-level awaits included */
function timeImport(path: string): { overriddenDuration: number } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program, path],
    { env: variables, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`cannot load ${path}: ${stderr}`);
  return { overriddenDuration: Number(stdout) };
}

export async function measureBundles({ directory, log }: Bench): Promise<Table[]> {
  log(`bundling ${serviceFiles.length} functions`);
  bundleFunctions(`${directory}/bundles`);
  log(`importing each ${rounds} times in a fresh process`);
  const pathOf = (file: FunctionFile) => `${directory}/bundles/${file}/index.mjs`;
  const imports = new Map(serviceFiles.map((file) => [file, () => timeImport(pathOf(file))]));
  const timings = await timeTasks(imports, rounds);
  return [
    {
      title: 'Size and start of each function',
      columns: ['function', 'bytes', 'gzip', 'import ms', 'within target'],
      rows: serviceFiles.map((file) => {
        const code = readFileSync(pathOf(file));
        const importMs = timings.get(file)?.median ?? Number.NaN;
        const share = Math.max(code.length / limits.bundleBytes, importMs / limits.importMs);
        return [file, code.length, gzipSync(code).length, Math.round(importMs), withinLimit(share, 1)];
      }),
    },
  ];
}
