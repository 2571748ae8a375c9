import { connect } from './connect.ts';
import { readTarget } from './read-target.ts';
import { runAdmin } from './run-admin.ts';

process.exitCode = await runAdmin(process.argv.slice(2), {
  readTarget,
  connect,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
