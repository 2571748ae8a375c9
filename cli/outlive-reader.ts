import type { Writable } from 'node:stream';

/**
 * Lets a command end as it would when whoever read its output has gone (`… | head -1`): that is no failure, and nobody
 * is left to be told. Any other error of the output is thrown.
 */
export function outliveReader(output: Pick<Writable, 'on'>): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
