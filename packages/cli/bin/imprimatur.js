#!/usr/bin/env node
// Plain JavaScript, which any Node reads. A package has the built command; a checkout has its TypeScript, which Node
// runs from 24 on, and `npx` takes the machine's Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const source = fileOf('../src/main.ts');

if (existsSync(source)) runSource();
else await import(new URL('../dist/main.js', import.meta.url).href);

function runSource() {
  const ownNode = fileOf('../../../node_modules/.bin/node');
  const isRecent = Number(process.versions.node.split('.')[0]) >= 24;
  if (!isRecent && !existsSync(ownNode)) {
    console.error('imprimatur: the packages are not installed; run npm ci in the checkout');
    process.exit(2);
  }
  const node = isRecent ? process.execPath : ownNode;
  const argv = ['--conditions=imprimatur-source', source, ...process.argv.slice(2)];
  const command = spawn(node, argv, { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes. The command reports what it means; this one waits for it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => command.kill('SIGTERM'));
  command.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
