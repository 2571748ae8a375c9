import { setTimeout } from 'node:timers/promises';
import { ignoreClosedPipe } from 'imprimatur-terminal/text';
import { connectAccount } from './account/connect-account.ts';
import { connect } from './deployment/connect.ts';
import { readTarget } from './deployment/target.ts';
import { runAdmin } from './run-admin.ts';

ignoreClosedPipe(process.stdout);
ignoreClosedPipe(process.stderr);
const argv = process.argv.slice(2);
if (argv.includes('--watch')) process.once('SIGINT', () => process.exit(0));
process.exitCode = await runAdmin(argv, {
  readTarget,
  connect,
  connectAccount,
  isColored: process.stdout.isTTY && process.stdout.hasColors(),
  isTerminal: process.stdout.isTTY,
  pause: (seconds) => setTimeout(seconds * 1000, true),
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
