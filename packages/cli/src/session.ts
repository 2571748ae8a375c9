import type { ClientOptions, Clock, ImprimaturClient, WaitOptions } from 'imprimatur-client';

export interface Session {
  /** The service, for which URL and key must be configured: asked for by commands that need it only. */
  readonly client: ImprimaturClient;
  /** The same, with other options. */
  clientWith(options: Partial<ClientOptions>): ImprimaturClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: NonNullable<WaitOptions['onProgress']>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly isColored: boolean;
  /** Writes to standard output before the answer, for commands that go on. */
  write(text: string): void;
  /** Tells something at once, on standard error. */
  note(text: string): void;
  /** Shows a line on a terminal, made again every second for its columns, until something else is told. */
  track(lineOf: (columns: number) => string): void;
  /** Asks the person at the terminal for a line; `undefined` where there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readInput(): Promise<Uint8Array>;
}

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
