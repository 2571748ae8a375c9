import type { ClientOptions, Clock, ImprimaturClient, WaitOptions } from 'imprimatur-client';

/** Surroundings that a command works with. */
export interface Session {
  /** The service, for which URL and key must be configured: asked for by commands that need it only. */
  readonly client: ImprimaturClient;
  /** The same, with other options. */
  clientWith(options: Partial<ClientOptions>): ImprimaturClient;
  readonly clock: Clock;
  /** Signal that Ctrl-C aborts. */
  readonly signal: AbortSignal;
  readonly onProgress: NonNullable<WaitOptions['onProgress']>;
  /** The environment's variables. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Whether standard output shows colours. */
  readonly isColored: boolean;
  /** Writes to standard output before the answer, for commands that go on. */
  write(text: string): void;
  /** Tells something at once, on standard error. */
  note(text: string): void;
  /** Shows a line on a terminal, made again every second for its columns, until something else is told. */
  track(lineOf: (columns: number) => string): void;
  /** Asks the person at the terminal for a line; `undefined` where there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Reads standard input to its end. */
  readInput(): Promise<Uint8Array>;
}

/** Answer of a command, for scripts and for people. */
export interface CommandAnswer {
  readonly json: object;
  readonly text: string;
  /** What is put out in place of the text, exactly so. */
  readonly bytes?: Uint8Array;
  /** What to know beside it, for standard error. */
  readonly notes?: readonly string[];
  /** 0 without it. */
  readonly exitCode?: number;
}

/** Runs a command, and prints its answer. */
export type Act = (command: (session: Session) => Promise<CommandAnswer>) => Promise<void>;
