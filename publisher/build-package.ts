import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The oldest Node that the package promises to run on. */
const target = 'node20';

/**
 * Builds the npm package `imprimatur-client` in a directory: the client as JavaScript and types for any project, and
 * the publisher's command, in one file with what it needs.
 */
async function buildPackage(directory: string): Promise<void> {
  const dist = `${directory}/dist`;
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  // In the checkout it is private: what is not built cannot be published.
  const { private: _, ...packageJson } = JSON.parse(readFileSync(fileOf('../client/package.json'), 'utf8'));
  writeFileSync(`${directory}/package.json`, `${JSON.stringify(packageJson, null, 2)}\n`);
  copyFileSync(fileOf('../client/README.md'), `${directory}/README.md`);
  copyFileSync(fileOf('../LICENSE'), `${directory}/LICENSE`);
  const compiler = fileOf('../node_modules/typescript-native/bin/tsc');
  const compile = [compiler, '-p', fileOf('../client'), '--outDir', dist];
  execFileSync(process.execPath, compile, { stdio: 'inherit' });
  const command = `${dist}/publisher.js`;
  await build({
    entryPoints: [fileOf('main.ts')],
    outfile: command,
    ...{
      bundle: true,
      platform: 'node',
      format: 'esm',
      target,
      legalComments: 'inline',
      logLevel: 'warning',
    },
    banner: { js: '#!/usr/bin/env node' },
  });
  chmodSync(command, 0o755);
}

const [directory = fileOf('../.local/client')] = process.argv.slice(2);
await buildPackage(resolve(directory));
console.log(
  `built ${directory}; npm pack ${directory} makes an archive of it, npm install takes either, npm publish ${directory} publishes it`,
);
