import type { ClientOptions, Clock, ImprimaturClient, WaitOptions } from 'imprimatur-client';
import type { ProgressOutput } from 'imprimatur-terminal/progress';

interface Surroundings {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** What Ctrl-C aborts. */
  readonly signal: AbortSignal;
  /** Whether standard output shows colors. */
  readonly isColored: boolean;
  /** Asks the person at the terminal for a line; absent where there is none. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Reads standard input to its end. */
  readInput(): Promise<Uint8Array>;
}

/** Surroundings of the command line, besides its arguments. */
export interface Terminal extends Surroundings {
  /** File in which `npm start` describes a local stack. */
  readonly stackFile: string;
  connect(options: ClientOptions): ImprimaturClient;
  readonly clock?: Clock;
  write(text: string | Uint8Array): void;
  /** Standard error: progress and error messages. */
  readonly errors: ProgressOutput;
}

/** Surroundings that a command works with. */
export interface Session extends Surroundings {
  /** The service, for which URL and key must be configured: asked for by commands that need it only. */
  readonly client: ImprimaturClient;
  /** The same, with other options. */
  clientWith(options: Partial<ClientOptions>): ImprimaturClient;
  readonly clock: Clock;
  readonly onProgress: NonNullable<WaitOptions['onProgress']>;
  /** Writes to standard output before the answer, for commands that go on. */
  write(text: string): void;
  /** Says something at once, on standard error. */
  note(text: string): void;
  /** Shows a line on a terminal, made again every second for its columns, until something else is said. */
  track(lineOf: (columns: number) => string): void;
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

export type Act = (command: (session: Session) => Promise<CommandAnswer>) => Promise<void>;
