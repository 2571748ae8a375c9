#!/usr/bin/env node
import { CommanderError } from 'commander';
import { CommandError } from './command/files.ts';
import { type Options, verifyCommand } from './command/options.ts';
import { run } from './command/run.ts';
import {
  BlockHashInvalidError,
  ProofUnavailableError,
  ReferenceInvalidError,
  RpcUrlInvalidError,
} from './verifier.ts';

const expectedErrors = [
  ...[CommandError, ReferenceInvalidError, RpcUrlInvalidError],
  ...[ProofUnavailableError, BlockHashInvalidError],
];

/** Prints an error and returns the exit code, which is never 1: that means a negative result. */
function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const isExpected = error instanceof Error && expectedErrors.some((type) => error instanceof type);
  console.error(isExpected ? `error: ${error.message}` : error);
  return 2;
}

try {
  const command = verifyCommand().parse();
  process.exitCode = await run(command.opts<Options>());
} catch (error) {
  process.exitCode = reportError(error);
}
