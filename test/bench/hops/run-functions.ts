/**
 * The process in which the real handlers run. It imports a function's file on its first call, as a cold start does, and
 * keeps it. Its parent sets the environment beforehand, and communicates with it by messages.
 */
import type { FunctionFile } from '../../../lib/access/function-access.ts';
import { allocatedBytes } from '../handlers/allocated-bytes.ts';
export interface FunctionCall {
  readonly id: number;
  readonly file: FunctionFile;
  readonly event: unknown;
  /** Whether to count the call's allocations, which makes it slower. */
  readonly allocations: boolean;
}

/** Time and allocations of one call of a function. */
export interface CallCost {
  readonly elapsedMs: number;
  /** CPU time of all threads of the process, garbage collection included. */
  readonly cpuMs: number;
  /** Bytes allocated on the JavaScript heap, an estimate from samples; 0 unless asked for. */
  readonly allocatedBytes: number;
}

export interface FunctionAnswer extends CallCost {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

type Handler = (event: unknown, context: object) => Promise<unknown>;

async function attempt(handler: Handler, event: unknown): Promise<Pick<FunctionAnswer, 'result' | 'error'>> {
  try {
    return { result: await handler(event, {}) };
  } catch (thrown) {
    return { error: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown) };
  }
}

async function call({ id, file, event, allocations }: FunctionCall): Promise<FunctionAnswer> {
  const { handler } = (await import(`../../../functions/${file}.ts`)) as { handler: Handler };
  if (allocations) {
    const counted = await allocatedBytes(() => attempt(handler, event));
    return { id, elapsedMs: 0, cpuMs: 0, allocatedBytes: counted.bytes, ...counted.result };
  }
  const before = performance.now();
  const cpuBefore = process.cpuUsage();
  const outcome = await attempt(handler, event);
  const { user, system } = process.cpuUsage(cpuBefore);
  const elapsedMs = performance.now() - before;
  return { id, elapsedMs, cpuMs: (user + system) / 1000, allocatedBytes: 0, ...outcome };
}

process.on('message', async (message: FunctionCall) => process.send?.(await call(message)));
process.on('disconnect', () => process.exit());
