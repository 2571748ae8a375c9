import type { Account } from '../account/connect-account.ts';
import type { Deployment } from './connect.ts';

export type { Deployment };

/** Answer of a command, for scripts and for people. */
export interface CommandAnswer {
  /** Result as JSON. Amounts of wei are `bigint`s, which are printed as decimal strings. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** 3: something has to be done first, outside or by --yes. 1: a part failed. 1 and 2 are of `doctor` too: a problem, something not asked. */
  readonly exitCode?: 1 | 2 | 3;
}

/** Makes commander's action of a command on the deployment that the command line names. The action prints its answer. */
export type Act = <Arguments extends unknown[]>(
  command: (deployment: Deployment, ...given: Arguments) => Promise<CommandAnswer>,
) => (...given: Arguments) => Promise<void>;

/** The same of a command on the account of that deployment, which may not be deployed yet. */
export type Examine = <Arguments extends unknown[]>(
  command: (account: Account, isColored: boolean, ...given: Arguments) => Promise<CommandAnswer>,
) => (...given: Arguments) => Promise<void>;
