import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FunctionFile } from '../../lib/function-access.ts';
import type { FunctionAnswer } from './run-functions.ts';

/** A function that was to succeed failed, or its process ended. */
export class FunctionCallError extends Error {
  override readonly name = 'FunctionCallError';
}

export interface FunctionProcess {
  /** Calls a handler; one at a time. @throws FunctionCallError */
  call(file: FunctionFile, event: unknown): Promise<{ result: unknown; elapsedMs: number }>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('run-functions.ts', import.meta.url));

/** Starts a process of the real handlers with this environment alone; what they log goes to the file. */
export function startFunctionProcess(variables: Record<string, string>, logPath: string): FunctionProcess {
  const log = openSync(logPath, 'w', 0o600);
  const child = fork(program, { env: variables, execArgv: [], stdio: ['ignore', log, log, 'ipc'] });
  closeSync(log);
  const ended = once(child, 'exit');
  let calls = 0;
  return {
    async call(file, event) {
      child.send({ id: ++calls, file, event });
      const [answer] = (await Promise.race([once(child, 'message'), ended])) as [FunctionAnswer];
      if (answer?.id !== calls) throw new FunctionCallError(`the functions' process ended: see ${logPath}`);
      const { result, elapsedMs, error } = answer;
      if (error !== undefined) throw new FunctionCallError(`${file}: ${error}; see ${logPath}`);
      return { result, elapsedMs };
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
