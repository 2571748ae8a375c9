import { mkdirSync, writeFileSync } from 'node:fs';
import { type FunctionFile, functionAccess } from '../../../lib/access/function-access.ts';
import { withinLimit } from '../report/present-table.ts';
import type { Bench, Table } from '../report/section.ts';
import { median } from '../report/statistics.ts';
import { type Bundle, bundleFunction } from './bundle-function.ts';
import { bundledPackages } from './bundled-packages.ts';
import { type StartTime, timeImport } from './time-import.ts';

const rounds = 7;

const limits = { bundleBytes: 1_000_000, importMs: 250 };

const largestPackages = 5;

/** Rounds over all modules, so that a busy moment of the machine does not affect only one of them. */
function timeImports(paths: readonly string[]): Map<string, StartTime> {
  const times = new Map(paths.map((path) => [path, [] as StartTime[]]));
  for (const path of paths) timeImport(path);
  for (let round = 0; round < rounds; round++) {
    for (const [path, taken] of times) taken.push(timeImport(path));
  }
  return new Map(
    [...times].map(([path, taken]) => [
      path,
      {
        importMs: median(taken.map(({ importMs }) => importMs)),
        processMs: median(taken.map(({ processMs }) => processMs)),
      },
    ]),
  );
}

const tenths = (value: number) => Math.round(value * 10) / 10;

function sizeRow(file: string, bundle: Bundle, time: StartTime | undefined, emptyMs: number) {
  const { bytes, gzipBytes } = bundle;
  const { importMs = 0, processMs = 0 } = time ?? {};
  const fits =
    withinLimit(bytes, limits.bundleBytes) === 'yes' ? withinLimit(importMs, limits.importMs) : '**no**';
  return [
    file,
    bytes,
    gzipBytes,
    Math.round(importMs),
    Math.round(processMs),
    tenths(processMs / emptyMs),
    fits,
  ];
}

function packageRow(file: string, { metafile }: Bundle) {
  const largest = bundledPackages(metafile).slice(0, largestPackages);
  return [file, largest.map(([name, bytes]) => `${name} ${Math.round(bytes / 1000)}`).join(', ')];
}

/** Measures the size and the start of every function. */
export async function measureBundles({ directory, log }: Bench): Promise<Table[]> {
  const output = `${directory}/bundles`;
  mkdirSync(output, { recursive: true });
  log(`bundling ${serviceFiles.length} functions`);
  const bundles = new Map<string, Bundle>();
  for (const file of serviceFiles) bundles.set(file, await bundleFunction(file, output));
  const empty = `${output}/empty.mjs`;
  writeFileSync(empty, 'export {};\n');
  log(`importing each ${rounds} times in a fresh process`);
  const times = timeImports([empty, ...[...bundles.values()].map(({ path }) => path)]);
  const emptyMs = times.get(empty)?.processMs ?? Number.NaN;
  const sized = [...bundles].map(([file, bundle]) => sizeRow(file, bundle, times.get(bundle.path), emptyMs));
  return [
    {
      title: `Size and start of each function (an empty module's process takes ${Math.round(emptyMs)} ms)`,
      columns: ['function', 'bytes', 'gzip', 'import ms', 'process ms', '× empty', 'within target'],
      rows: sized,
    },
    {
      title: 'The five largest packages in each bundle, kB minified',
      columns: ['function', 'packages'],
      rows: [...bundles].map(([file, bundle]) => packageRow(file, bundle)),
    },
  ];
}

/** Every function of the stack, by its file below functions/. */
const serviceFiles = Object.keys(functionAccess) as FunctionFile[];
