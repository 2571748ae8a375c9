import type { Deployment } from './deployment.ts';

/** What a command found or did, for scripts and for people. */
export interface CommandAnswer {
  /** Amounts of wei as `bigint`: they are printed as decimal strings. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** 0 when absent; 3 says that something has to happen first, outside or by adding --yes, and the command is to be run again. */
  readonly exitCode?: 3;
}

/** Runs a command on the deployment that the command line means, and prints its answer. */
export type Act = (command: (deployment: Deployment) => Promise<CommandAnswer>) => Promise<void>;
