import { CommanderError } from 'commander';
import {
  BlockHashInvalidError,
  ProofUnavailableError,
  ReferenceInvalidError,
  RpcUrlInvalidError,
} from '../verifier.ts';
import { CommandError } from './files.ts';
import { type Options, verifyCommand } from './options.ts';
import type { Output } from './output.ts';
import { run } from './run.ts';

const expectedErrors = [
  ...[CommandError, ReferenceInvalidError, RpcUrlInvalidError],
  ...[ProofUnavailableError, BlockHashInvalidError],
];

/** Prints an error and returns the exit code, which is never 1, because 1 means a negative result. */
function reportError(output: Output, error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const isExpected = error instanceof Error && expectedErrors.some((type) => error instanceof type);
  output.error(isExpected ? `error: ${error.message}` : error);
  return 2;
}

/** Runs `imprimatur-verify` with these arguments. @returns the exit code */
export async function runCommand(args: readonly string[], output: Output): Promise<number> {
  try {
    const command = verifyCommand(output).parse(args, { from: 'user' });
    return await run(output, command.opts<Options>());
  } catch (error) {
    return reportError(output, error);
  }
}
