import { type Command, Option } from 'commander';
import { parseSeconds } from './arguments.ts';

export interface WaitChoice {
  readonly wait?: true;
  readonly timeout?: number;
}

/** Gives a command `--wait` and `--timeout`. */
export function addWaitOptions(command: Command, goal: string): Command {
  const timeout = new Option('--timeout <seconds>', 'wait at most so long (default: 900); implies --wait');
  return command
    .option('--wait', `wait until ${goal}, with progress on standard error`)
    .addOption(timeout.argParser(parseSeconds).implies({ wait: true }));
}
