import { CommanderError } from 'commander';
import { outliveReader } from 'imprimatur-terminal/text';
import { withoutUrls } from '../../admin/error-line.ts';
import { UsageInvalidError } from '../../admin/terminal/errors.ts';
import { FileInvalidError } from '../../lib/environment/read-json.ts';
import { stopRequest } from '../../local/process/stop-request.ts';
import { describeFailure } from '../../local/terminal/plain-error.ts';
import { rehearseProgram } from './program.ts';

/** Runs the command. @returns its exit code; everything it started on this machine has ended by then */
async function main(argv: readonly string[]): Promise<number> {
  outliveReader(process.stdout);
  const signal = stopRequest();
  let exitCode = 0;
  const setExitCode = (code: number) => {
    exitCode = code;
  };
  try {
    await rehearseProgram({ signal, log: console.error }, setExitCode).parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (signal.aborted) return 130;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const isPlain = error instanceof FileInvalidError || error instanceof UsageInvalidError;
    // The failures of viem name the URL of a provider.
    console.error(withoutUrls(isPlain ? error.message : describeFailure(error)));
    return 2;
  }
}

process.exit(await main(process.argv.slice(2)));
