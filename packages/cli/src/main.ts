import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ImprimaturClient } from 'imprimatur-client';
import { ignoreClosedPipe } from 'imprimatur-terminal/text';
import { InterruptedError } from './errors.ts';
import { runPublisher } from './run-publisher.ts';

const interruption = new AbortController();
// `once`, so that a second Ctrl-C ends the process immediately.
process.once('SIGINT', () => interruption.abort(new InterruptedError(130)));
process.once('SIGTERM', () => interruption.abort(new InterruptedError(143)));

/** Asks on stderr. The interface does not use terminal mode, which would intercept Ctrl-C. */
async function ask(question: string): Promise<string> {
  const { stdin: input, stderr: output } = process;
  const lines = createInterface({ input, output, terminal: false });
  try {
    // Ctrl-D closes the input without an answer, which counts as no.
    const closed = once(lines, 'close', { signal: interruption.signal }).then(() => '');
    return await Promise.race([lines.question(question, { signal: interruption.signal }), closed]);
  } finally {
    lines.close();
  }
}

ignoreClosedPipe(process.stdout);
ignoreClosedPipe(process.stderr);
process.exitCode = await runPublisher(process.argv.slice(2), {
  variables: process.env,
  stackFile: fileURLToPath(new URL('../../../.local/stack.json', import.meta.url)),
  signal: interruption.signal,
  connect: (options) => new ImprimaturClient(options),
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  readInput: () => buffer(addAbortSignal(interruption.signal, process.stdin)),
  write: (text) => process.stdout.write(text),
  errors: process.stderr,
  isColored: process.stdout.isTTY && process.stdout.hasColors(),
});
// A pending request to a provider would keep the process alive. Exit after the output is written.
if (interruption.signal.aborted) process.stdout.write('', () => process.exit());
