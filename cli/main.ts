import { connect } from './connect.ts';
import { outliveReader } from './outlive-reader.ts';
import { readTarget } from './read-target.ts';
import { runAdmin } from './run-admin.ts';

outliveReader(process.stdout);
outliveReader(process.stderr);
process.exitCode = await runAdmin(process.argv.slice(2), {
  readTarget,
  connect,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
