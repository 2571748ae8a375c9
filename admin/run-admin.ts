import { CommanderError } from 'commander';
import type { Account } from './account/connect-account.ts';
import type { CommandResult, ToAccountAction, ToAction } from './deployment/command.ts';
import type { Deployment } from './deployment/connect.ts';
import type { Target } from './deployment/target.ts';
import { operatorErrorLine } from './error-line.ts';
import { adminProgram, type GlobalOptions } from './program.ts';
import { CommandFailedError, UsageInvalidError } from './terminal/errors.ts';

export interface Terminal {
  readTarget(options: GlobalOptions): Target;
  connect(target: Target): Promise<Deployment>;
  connectAccount(target: Target): Account;
  readonly isColored: boolean;
  write(text: string): void;
  writeError(text: string): void;
}

/** Runs one command line. @returns its exit code */
export async function runAdmin(argv: readonly string[], terminal: Terminal): Promise<number> {
  let result = 0;
  const run = async (command: (target: Target) => Promise<CommandResult>) => {
    const options = program.opts<GlobalOptions>();
    const { json, text, exitCode = 0 } = await runCommand(command, options, terminal);
    terminal.write(options.json ? `${JSON.stringify(json, decimal)}\n` : `${text}\n`);
    result = exitCode;
  };
  const toAction: ToAction =
    (command) =>
    (...args) =>
      run(async (target) => command(await terminal.connect(target), ...args));
  const toAccountAction: ToAccountAction =
    (command) =>
    (...args) =>
      run(async (target) => command(terminal.connectAccount(target), terminal.isColored, ...args));
  const program = adminProgram(toAction, toAccountAction, (help) => terminal.write(help));
  try {
    await program.parseAsync(argv, { from: 'user' });
    return result;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return report(error, argv.includes('--json'), terminal);
  }
}

/** Prints amounts of wei as strings, because they exceed JSON's numbers. */
function decimal(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

async function runCommand(
  command: (target: Target) => Promise<CommandResult>,
  options: GlobalOptions,
  terminal: Terminal,
): Promise<CommandResult> {
  let target: Target = { kind: 'cloud', stackName: options.stack ?? '' };
  try {
    target = terminal.readTarget(options);
    return await command(target);
  } catch (error) {
    if (error instanceof UsageInvalidError) throw error;
    throw new CommandFailedError(operatorErrorLine(error, target), { cause: error });
  }
}

function report(error: unknown, json: boolean, terminal: Terminal): number {
  const isUsage = error instanceof CommanderError || error instanceof UsageInvalidError;
  if (!isUsage && !(error instanceof CommandFailedError)) throw error;
  const message = usageText(error);
  terminal.writeError(`admin: ${message}\n`);
  if (json) terminal.write(`${JSON.stringify({ error: message })}\n`);
  return isUsage ? 2 : 1;
}

/** Removes "error:" and line breaks from a message of commander. For a missing command, commander has no message. */
function usageText(error: Error): string {
  if (error instanceof CommanderError && error.code === 'commander.help') {
    return 'missing command; run with --help to list the commands';
  }
  return error.message.replace(/^error: /, '').replaceAll(/\s+/g, ' ');
}
