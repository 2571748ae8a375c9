import { endOfFailure, stopRequest } from '../../local/process/stop-request.ts';
import { rehearse } from './rehearse.ts';

const help = `npm run restore:rehearse [-- --json]

Rehearses what docs/runbook.md says under "Restoring", on a local stack of its own: attestations confirmed, committed and just
accepted and a webhook when the tables are backed up, one more attestation, an API key and a webhook after that; then the backups are restored into new
tables, the stack is deployed onto them, and the lane is resynchronised. It fails unless each attestation has the index that
it had and the registry has each content once. At last the stack is deleted, and only what retention keeps may be left.
About five minutes, more on a busy machine. Its files are in .local/restore.

  --json    prints what was shown as one JSON object; progress goes to standard error`;

const log = (line: string) => console.error(line);

/** Runs the command. @returns its exit status; everything it started has ended by then. */
async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help')) {
    console.log(help);
    return 0;
  }
  const unknown = argv.find((argument) => argument !== '--json');
  if (unknown !== undefined) {
    console.error(`restore:rehearse knows no ${unknown}; --help lists what it knows`);
    return 2;
  }
  try {
    const { shown } = await rehearse({ log, signal: stopRequest() });
    console.log(argv.includes('--json') ? JSON.stringify({ shown }) : `\n${shown.join('\n')}`);
    return 0;
  } catch (error) {
    return endOfFailure(error);
  }
}

process.exit(await main(process.argv.slice(2)));
