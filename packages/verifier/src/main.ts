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

const expected = [
  ...[CommandError, ReferenceInvalidError, RpcUrlInvalidError],
  ...[ProofUnavailableError, BlockHashInvalidError],
];

/** No error exits with 1, which is a negative result. */
function endWith(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const isExpected = error instanceof Error && expected.some((type) => error instanceof type);
  console.error(isExpected ? `error: ${error.message}` : error);
  return 2;
}

try {
  const command = verifyCommand().parse();
  process.exitCode = await run(command.opts<Options>());
} catch (error) {
  process.exitCode = endWith(error);
}
