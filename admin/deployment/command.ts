import type { Account } from '../account/connect-account.ts';
import type { Deployment } from './connect.ts';
import type { Target } from './target.ts';

export type { Deployment };

export interface CommandResult {
  /** Result as JSON. Amounts of wei are `bigint`s, which are printed as decimal strings. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** 3: steps remain, or --yes is missing. 1: a part failed. For `doctor`, 1: a problem, 2: a check got no answer. */
  readonly exitCode?: 1 | 2 | 3;
  /** Seconds after which the command runs again, until it is interrupted. */
  readonly repeatSeconds?: number;
}

/** Turns a command on the selected deployment into an action for commander. The action prints the result. */
export type ToAction = <Arguments extends unknown[]>(
  command: (deployment: Deployment, ...args: Arguments) => Promise<CommandResult>,
) => (...args: Arguments) => Promise<void>;

/** Like `ToAction`, for a command on the account, which may have no deployment yet. */
export type ToAccountAction = <Arguments extends unknown[]>(
  command: (account: Account, isColored: boolean, ...args: Arguments) => Promise<CommandResult>,
) => (...args: Arguments) => Promise<void>;

/** Like `ToAction`, for a command that connects to AWS itself. */
export type ToTargetAction = <Arguments extends unknown[]>(
  command: (target: Target, ...args: Arguments) => Promise<CommandResult>,
) => (...args: Arguments) => Promise<void>;
