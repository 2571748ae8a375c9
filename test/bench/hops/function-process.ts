import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FunctionFile } from '../../../lib/access/function-access.ts';
import type { CallCost, FunctionAnswer, FunctionCall } from './run-functions.ts';

/** A function that should have succeeded failed, or its process ended. */
export class FunctionCallError extends Error {
  override readonly name = 'FunctionCallError';
}

export interface FunctionProcess {
  /** Calls a handler; one call at a time. @throws FunctionCallError */
  call(file: FunctionFile, event: unknown): Promise<CallCost & { readonly result: unknown }>;
  /** Calls a handler, and measures its allocations instead of its duration. */
  callCountingAllocations: FunctionProcess['call'];
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('run-functions.ts', import.meta.url));

/** Starts a process of the real handlers with this environment alone; their logs go to the file. */
export function startFunctionProcess(variables: Record<string, string>, logPath: string): FunctionProcess {
  const log = openSync(logPath, 'w', 0o600);
  const child = fork(program, { env: variables, execArgv: [], stdio: ['ignore', log, log, 'ipc'] });
  closeSync(log);
  const ended = once(child, 'exit');
  let calls = 0;
  const ask = async (file: FunctionFile, event: unknown, allocations: boolean) => {
    child.send({ id: ++calls, file, event, allocations } satisfies FunctionCall);
    const [answer] = (await Promise.race([once(child, 'message'), ended])) as [FunctionAnswer];
    if (answer?.id !== calls) throw new FunctionCallError(`the functions' process ended: see ${logPath}`);
    const { error, result, ...cost } = answer;
    if (error !== undefined) throw new FunctionCallError(`${file}: ${error}; see ${logPath}`);
    return { ...cost, result };
  };
  return {
    call: (file, event) => ask(file, event, false),
    callCountingAllocations: (file, event) => ask(file, event, true),
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
