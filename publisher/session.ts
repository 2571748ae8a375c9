import type { ImprimaturClient, WaitOptions } from '../client/imprimatur.ts';

/** What a command works with. */
export interface Session {
  readonly client: ImprimaturClient;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly onProgress: NonNullable<WaitOptions['onProgress']>;
  /** Standard input to its end. */
  readInput(): Promise<Uint8Array>;
}

/** What a command found or did, for scripts and for people. */
export interface CommandAnswer {
  readonly json: object;
  readonly text: string;
}

/** Runs a command, and prints its answer. */
export type Act = (command: (session: Session) => Promise<CommandAnswer>) => Promise<void>;
