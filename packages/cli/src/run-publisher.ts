import { existsSync } from 'node:fs';
import { CommanderError } from 'commander';
import { type ClientOptions, systemClock } from 'imprimatur-client';
import { Progress } from 'imprimatur-terminal/progress';
import { printable } from 'imprimatur-terminal/text';
import { UsageInvalidError } from './errors.ts';
import { failureOf } from './failure.ts';
import { publisherProgram } from './program.ts';
import type { RunCommand, Session, Terminal } from './session.ts';

/** Exit code EX_SOFTWARE of sysexits.h. */
const unexpectedFailure = { exitCode: 70, message: 'unexpected error; please report it', details: {} };

export async function runPublisher(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { errors, signal } = terminal;
  const progress = new Progress(errors);
  const printNote = (note: string) => {
    progress.end();
    errors.write(`imprimatur: ${printable(note)}\n`);
  };
  let exitCode = 0;
  const run: RunCommand = async (command) => {
    const answer = await command(sessionOf(terminal, progress, printNote));
    progress.end();
    exitCode = answer.exitCode ?? 0;
    for (const note of answer.notes ?? []) printNote(note);
    const isJson = program.opts<{ json?: true }>().json;
    terminal.write(isJson ? `${JSON.stringify(answer.json)}\n` : (answer.bytes ?? `${answer.text}\n`));
  };
  const program = publisherProgram(run, (help) => terminal.write(help));
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    progress.end();
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    // A stream that Ctrl-C ended fails with its own error.
    const failure = failureOf(error) ?? (signal.aborted ? failureOf(signal.reason) : undefined);
    const { exitCode, message, details } = failure ?? unexpectedFailure;
    printNote(message);
    if (argv.includes('--json')) terminal.write(`${JSON.stringify({ error: message, ...details })}\n`);
    if (!failure) errors.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return exitCode;
  }
}

function sessionOf(terminal: Terminal, progress: Progress, note: (text: string) => void): Session {
  const clientWith = (options: Partial<ClientOptions>) =>
    terminal.connect({ ...readConfiguration(terminal), ...options });
  return {
    ...{ clock: systemClock, ...terminal, note, clientWith },
    get client() {
      return clientWith({});
    },
    track: (lineOf) => progress.track(lineOf),
    onProgress: (attestation, elapsedSeconds) => progress.show(attestation, elapsedSeconds),
  };
}

const requiredVariables = {
  IMPRIMATUR_URL: 'the URL of the service',
  IMPRIMATUR_API_KEY: 'an API key of your organization',
} as const;

/**
 * Reads the service's URL and the API key from the environment. They are not options, because other users of the
 * machine can read command lines. They are not taken from a local stack automatically, because an article for the
 * public would then go to a private chain.
 */
function readConfiguration({ variables, stackFile }: Terminal): ClientOptions {
  const { IMPRIMATUR_URL: url, IMPRIMATUR_API_KEY: apiKey } = variables;
  const allowHttp = variables.IMPRIMATUR_ALLOW_HTTP === '1';
  if (url && apiKey) return { url, apiKey, allowHttp };
  const missing = Object.entries(requiredVariables).filter(([name]) => !variables[name]);
  const lines = missing.map(([name, meaning]) => `${name} is not set; set it to ${meaning}`);
  throw new UsageInvalidError([...lines, ...localAdvice(stackFile)].join('\n'));
}

/** The key is not printed, because terminal output is copied and logged. */
function localAdvice(stackFile: string): string[] {
  if (!existsSync(stackFile)) return [];
  const path = `'${stackFile.replaceAll("'", `'\\''`)}'`;
  const read = (field: string) =>
    `"$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).${field}' ${path})"`;
  return [
    'to use the local stack of this checkout:',
    `  export IMPRIMATUR_URL=${read('apiUrl')}`,
    `  export IMPRIMATUR_API_KEY=${read('apiKey')}`,
  ];
}
