import { CommanderError } from 'commander';
import { type ClientOptions, systemClock } from 'imprimatur-client';
import { Progress } from 'imprimatur-terminal/progress';
import { printable } from 'imprimatur-terminal/text';
import { readConfiguration } from './configuration.ts';
import { failureOf } from './failure.ts';
import { publisherProgram } from './program.ts';
import type { Act, Session, Terminal } from './session.ts';

/** Neither an answer nor a failure that a script knows: the code for it in sysexits.h. */
const unforeseen = { exitCode: 70, message: 'an error that was not foreseen; please report it', details: {} };

/** Runs one command line. Resolves to its exit code, which the help explains. */
export async function runPublisher(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { errors, signal } = terminal;
  const progress = new Progress(errors);
  const tell = (note: string) => {
    progress.end();
    errors.write(`imprimatur: ${printable(note)}\n`);
  };
  let exitCode = 0;
  const act: Act = async (command) => {
    const answer = await command(sessionOf(terminal, progress, tell));
    progress.end();
    exitCode = answer.exitCode ?? 0;
    for (const note of answer.notes ?? []) tell(note);
    const isJson = program.opts<{ json?: true }>().json;
    terminal.write(isJson ? `${JSON.stringify(answer.json)}\n` : (answer.bytes ?? `${answer.text}\n`));
  };
  const program = publisherProgram(act, (help) => terminal.write(help));
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    progress.end();
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    // A stream that Ctrl-C has ended fails with an error of its own.
    const failure = failureOf(error) ?? (signal.aborted ? failureOf(signal.reason) : undefined);
    const { exitCode, message, details } = failure ?? unforeseen;
    tell(message);
    if (argv.includes('--json')) terminal.write(`${JSON.stringify({ error: message, ...details })}\n`);
    if (!failure) errors.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return exitCode;
  }
}

function sessionOf(terminal: Terminal, progress: Progress, note: (text: string) => void): Session {
  const { variables, stackFile, connect, signal, readInput, isColored, ask, clock = systemClock } = terminal;
  const clientWith = (options: Partial<ClientOptions>) =>
    connect({ ...readConfiguration(variables, stackFile), ...options });
  return {
    write: (text) => terminal.write(text),
    get client() {
      return clientWith({});
    },
    ...{ note, clientWith, clock, signal, isColored, variables, ask, readInput },
    track: (lineOf) => progress.track(lineOf),
    onProgress: (attestation, elapsedSeconds) => progress.show(attestation, elapsedSeconds),
  };
}
