import type { Deployment } from './deployment.ts';

/** Answer of a command, for scripts and for people. */
export interface CommandAnswer {
  /** Result as JSON. Amounts of wei are `bigint`s, which are printed as decimal strings. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  /**
   * 0 when absent. 3 when something has to be done first, outside or by adding --yes, before the command is run again.
   */
  readonly exitCode?: 3;
}

/** Runs a command on the deployment that the command line names, and prints its answer. */
export type Act = (command: (deployment: Deployment) => Promise<CommandAnswer>) => Promise<void>;
