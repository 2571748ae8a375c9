import { parentPort } from 'node:worker_threads';
import type { FunctionFile } from '../../../lib/access/function-access.ts';

export interface FunctionCall {
  readonly file: FunctionFile;
  readonly event: object;
}

/** Runs the real handlers. As in a cold start, a function's file is imported on its first call. */
parentPort?.on('message', async ({ file, event }: FunctionCall) => {
  const { handler } = await import(`../../../functions/${file}.ts`);
  parentPort?.postMessage(await handler(event, {}));
});
