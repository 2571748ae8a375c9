import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ImprimaturClient } from 'imprimatur-client';
import { outliveReader } from 'imprimatur-terminal/text';
import { InterruptedError } from './errors.ts';
import { runPublisher } from './run-publisher.ts';

const interruption = new AbortController();
// Once: a second Ctrl-C ends the process at once, as it does without a listener.
process.once('SIGINT', () => interruption.abort(new InterruptedError(130)));
process.once('SIGTERM', () => interruption.abort(new InterruptedError(143)));

/** No terminal mode: it would take Ctrl-C for itself. */
async function ask(question: string): Promise<string> {
  const { stdin: input, stderr: output } = process;
  const lines = createInterface({ input, output, terminal: false });
  try {
    // Ctrl-D closes it without an answer, which is no agreement.
    const closed = once(lines, 'close', { signal: interruption.signal }).then(() => '');
    return await Promise.race([lines.question(question, { signal: interruption.signal }), closed]);
  } finally {
    lines.close();
  }
}

outliveReader(process.stdout);
outliveReader(process.stderr);
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
// What a provider was asked would keep the process until that answers. The output is written first.
if (interruption.signal.aborted) process.stdout.write('', () => process.exit());
