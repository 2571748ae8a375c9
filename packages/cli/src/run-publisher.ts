import { CommanderError } from 'commander';
import type { ClientOptions, Clock, ImprimaturClient } from 'imprimatur-client';
import { systemClock } from 'imprimatur-client';
import { Progress } from 'imprimatur-terminal/progress';
import type { ProgressOutput } from 'imprimatur-terminal/status-line';
import { printable } from 'imprimatur-terminal/text';
import { readConfiguration } from './configuration.ts';
import { type Failure, failureOf } from './failure.ts';
import { publisherProgram } from './program.ts';
import type { Act, Session } from './session.ts';

/** Surroundings of the command line, besides its arguments. */
export interface Terminal {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** File in which `npm start` describes a local stack. */
  readonly stackFile: string;
  readonly signal: AbortSignal;
  connect(options: ClientOptions): ImprimaturClient;
  readonly clock?: Clock;
  readInput(): Promise<Uint8Array>;
  /** Asks the person at the terminal for a line; absent where there is none. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  write(text: string | Uint8Array): void;
  /** Whether standard output shows colours. */
  readonly isColored: boolean;
  /** Standard error: progress and error messages. */
  readonly errors: ProgressOutput;
}

/** Runs one command line. Resolves to its exit code, which the help explains. */
export async function runPublisher(argv: readonly string[], terminal: Terminal): Promise<number> {
  const progress = new Progress(terminal.errors);
  let exitCode = 0;
  const act: Act = async (command) => {
    const {
      json,
      text,
      bytes,
      notes = [],
      exitCode: code = 0,
    } = await command(sessionOf(terminal, progress));
    exitCode = code;
    progress.end();
    for (const note of notes) tell(terminal, note);
    const isJson = program.opts<{ json?: true }>().json;
    terminal.write(isJson ? `${JSON.stringify(json)}\n` : (bytes ?? `${text}\n`));
  };
  const program = publisherProgram(act, (help) => terminal.write(help));
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    progress.end();
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    // A stream that Ctrl-C has ended fails with an error of its own.
    const failure = failureOf(terminal.signal.aborted ? interruption(error, terminal) : error);
    if (!failure) return reportUnforeseen(error, argv.includes('--json'), terminal);
    return report(failure, argv.includes('--json'), terminal);
  }
}

function tell({ errors }: Terminal, note: string): void {
  errors.write(`imprimatur: ${printable(note)}\n`);
}

function sessionOf(terminal: Terminal, progress: Progress): Session {
  const { variables, stackFile, connect, signal, readInput, isColored, ask, clock = systemClock } = terminal;
  const clientWith = (options: Partial<ClientOptions>) =>
    connect({ ...readConfiguration(variables, stackFile), ...options });
  return {
    write: (text) => terminal.write(text),
    note: (text) => {
      progress.end();
      tell(terminal, text);
    },
    get client() {
      return clientWith({});
    },
    ...{ clientWith, clock, signal, isColored, variables, ask },
    track: (lineOf) => progress.track(lineOf),
    onProgress: (attestation, elapsedSeconds) => progress.show(attestation, elapsedSeconds),
    readInput,
  };
}

function interruption(error: unknown, { signal }: Terminal): unknown {
  return failureOf(error) ? error : signal.reason;
}

/** Neither an answer nor a failure that a script knows: the code for it in sysexits.h. */
const unforeseenExitCode = 70;

function reportUnforeseen(error: unknown, json: boolean, terminal: Terminal): number {
  const message = 'an error that was not foreseen; please report it';
  const exitCode = report({ exitCode: unforeseenExitCode, message, details: {} }, json, terminal);
  terminal.errors.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return exitCode;
}

function report({ exitCode, message, details }: Failure, json: boolean, terminal: Terminal): number {
  tell(terminal, message);
  if (json) terminal.write(`${JSON.stringify({ error: message, ...details })}\n`);
  return exitCode;
}
