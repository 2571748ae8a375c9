import type { ClientOptions, Clock, ImprimaturClient, WaitOptions } from 'imprimatur-client';
import type { ProgressOutput } from 'imprimatur-terminal/progress';

interface CommandEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly isColored: boolean;
  /** Asks the user for a line; absent without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  readInput(): Promise<Uint8Array>;
}

/** Environment of the command line, without its arguments. */
export interface Terminal extends CommandEnvironment {
  /** File in which `npm start` describes a local stack. */
  readonly stackFile: string;
  connect(options: ClientOptions): ImprimaturClient;
  readonly clock?: Clock;
  write(text: string | Uint8Array): void;
  readonly errors: ProgressOutput;
}

export interface Session extends CommandEnvironment {
  /** The service. Requires the URL and the key, so only commands that need the service read it. */
  readonly client: ImprimaturClient;
  clientWith(options: Partial<ClientOptions>): ImprimaturClient;
  readonly clock: Clock;
  readonly onProgress: NonNullable<WaitOptions['onProgress']>;
  /** Writes to stdout before the result, for commands that keep running. */
  write(text: string): void;
  /** Writes a line to stderr immediately. */
  note(text: string): void;
  /** Shows a line on a terminal and redraws it every second, until other output follows. */
  track(lineOf: (columns: number) => string): void;
}

/** Result of a command, for scripts and for people. */
export interface CommandResult {
  readonly json: object;
  readonly text: string;
  /** Printed unchanged instead of the text. */
  readonly bytes?: Uint8Array;
  /** Lines for stderr. */
  readonly notes?: readonly string[];
  readonly exitCode?: number;
}

export type RunCommand = (command: (session: Session) => Promise<CommandResult>) => Promise<void>;
