import { CommanderError } from 'commander';
import type { Account } from './account/connect-account.ts';
import type { CommandResult, ToAccountAction, ToAction, ToTargetAction } from './deployment/command.ts';
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
  readonly isTerminal: boolean;
  /** Waits before a command runs again. @returns false to end the command instead */
  pause(seconds: number): Promise<boolean>;
  write(text: string): void;
  writeError(text: string): void;
}

/** Runs one command line. @returns its exit code */
export async function runAdmin(argv: readonly string[], terminal: Terminal): Promise<number> {
  let result = 0;
  const run = async (command: (target: Target) => Promise<CommandResult>) => {
    const options = program.opts<GlobalOptions>();
    const { exitCode = 0, ...first } = await runCommand(command, options, terminal);
    print(first, options, terminal);
    result = exitCode;
    const { repeatSeconds } = first;
    while (repeatSeconds !== undefined && (await terminal.pause(repeatSeconds)))
      try {
        print(await runCommand(command, options, terminal), options, terminal);
      } catch (error) {
        report(error, options.json === true, terminal);
      }
  };
  const toAction: ToAction =
    (command) =>
    (...args) =>
      run(async (target) => command(await terminal.connect(target), ...args));
  const toAccountAction: ToAccountAction =
    (command) =>
    (...args) =>
      run(async (target) => command(terminal.connectAccount(target), terminal.isColored, ...args));
  const toTargetAction: ToTargetAction =
    (command) =>
    (...args) =>
      run((target) => command(target, ...args));
  const program = adminProgram(toAction, toAccountAction, toTargetAction, (help) => terminal.write(help));
  try {
    await program.parseAsync(argv, { from: 'user' });
    return result;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return report(error, argv.includes('--json'), terminal);
  }
}

/** Moves to the top left, and clears the terminal with its scrollback. */
const clear = '\x1b[H\x1b[2J\x1b[3J';

function print(
  { json, text, repeatSeconds }: CommandResult,
  options: GlobalOptions,
  terminal: Terminal,
): void {
  if (options.json) terminal.write(`${JSON.stringify(json, decimal)}\n`);
  else if (repeatSeconds === undefined) terminal.write(`${text}\n`);
  else terminal.write(terminal.isTerminal ? `${clear}${text}\n` : `${text}\n\n`);
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
