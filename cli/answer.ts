import type { Desk } from './desk.ts';

/** What a command found or did, for scripts and for people. */
export interface Answer {
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Runs a command on the deployment that the command line means, and prints its answer. */
export type Act = (command: (desk: Desk) => Promise<Answer>) => Promise<void>;
