#!/usr/bin/env node
// Plain JavaScript, so that any Node runs it. A package contains the built command. A checkout contains TypeScript,
// which requires Node 24.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const source = pathOf('../src/main.ts');

if (existsSync(source)) runSource();
else await import(new URL('../dist/main.js', import.meta.url).href);

function runSource() {
  const checkoutNode = pathOf('../../../node_modules/.bin/node');
  const isRecent = Number(process.versions.node.split('.')[0]) >= 24;
  if (!isRecent && !existsSync(checkoutNode)) {
    console.error('imprimatur: the packages are not installed; run npm ci in the checkout');
    process.exit(2);
  }
  const node = isRecent ? process.execPath : checkoutNode;
  const argv = ['--conditions=imprimatur-source', source, ...process.argv.slice(2)];
  const command = spawn(node, argv, { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes. The command handles it, and this process waits.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => command.kill('SIGTERM'));
  command.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
