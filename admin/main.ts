import { ignoreClosedPipe } from 'imprimatur-terminal/text';
import { connectAccount } from './account/connect-account.ts';
import { connect } from './deployment/connect.ts';
import { readTarget } from './deployment/target.ts';
import { runAdmin } from './run-admin.ts';

ignoreClosedPipe(process.stdout);
ignoreClosedPipe(process.stderr);
process.exitCode = await runAdmin(process.argv.slice(2), {
  readTarget,
  connect,
  connectAccount,
  isColored: process.stdout.isTTY && process.stdout.hasColors(),
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
