import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds the npm package `imprimatur-verifier` in a directory: one file of JavaScript with all that it needs, and its types. */
async function buildPackage(directory: string): Promise<void> {
  const dist = `${directory}/dist`;
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  copyFileSync(fileOf('../verifier/package.json'), `${directory}/package.json`);
  copyFileSync(fileOf('../LICENSE'), `${directory}/LICENSE`);
  const compiler = fileOf('../node_modules/typescript-native/bin/tsc');
  const compile = [compiler, '-p', fileOf('../verifier'), '--outDir', dist];
  execFileSync(process.execPath, compile, { stdio: 'inherit' });
  await build({
    entryPoints: [fileOf('../verifier/verifier.ts')],
    outfile: `${dist}/verifier.js`,
    ...{ bundle: true, platform: 'browser', format: 'esm', target: 'es2022' },
    ...{ legalComments: 'inline', logLevel: 'warning' },
  });
}

const [directory = fileOf('../.local/verifier')] = process.argv.slice(2);
await buildPackage(resolve(directory));
console.log(`built ${directory}; npm pack ${directory} makes an archive of it, npm install takes either`);
