/**
 * The process in which the real handlers run: imports a function's file on its first call, as a cold start does, and
 * keeps it. Its parent has set the environment before, and speaks to it by messages.
 */
import type { FunctionFile } from '../../lib/function-access.ts';

export interface FunctionCall {
  readonly id: number;
  readonly file: FunctionFile;
  readonly event: unknown;
}

export interface FunctionAnswer {
  readonly id: number;
  readonly elapsedMs: number;
  readonly result?: unknown;
  readonly error?: string;
}

type Handler = (event: unknown, context: object) => Promise<unknown>;

async function call({ id, file, event }: FunctionCall): Promise<FunctionAnswer> {
  const { handler } = (await import(`../../functions/${file}.ts`)) as { handler: Handler };
  const before = performance.now();
  try {
    const result = await handler(event, {});
    return { id, elapsedMs: performance.now() - before, result };
  } catch (thrown) {
    const error = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    return { id, elapsedMs: performance.now() - before, error };
  }
}

process.on('message', async (message: FunctionCall) => process.send?.(await call(message)));
process.on('disconnect', () => process.exit());
