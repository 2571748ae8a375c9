import type { FunctionFile } from '../../../lib/access/function-access.ts';
import type { RecordedRequest } from './counting-proxy.ts';
import type { FunctionProcess } from './function-process.ts';

/** One call of a function and all that it asked of others. */
export interface Measurement {
  /** What the call was for. */
  readonly name: string;
  readonly requests: readonly RecordedRequest[];
  readonly elapsedMs: number;
}

/** The call did something else than what its name says, so its numbers would mislead. */
export class CallUnexpectedError extends Error {
  override readonly name = 'CallUnexpectedError';
}

interface ApiResult {
  readonly statusCode: number;
  readonly body: string;
}

/** Calls functions one at a time, and keeps what each call cost in the order of the calls. */
export class Probe {
  readonly #functions: FunctionProcess;
  readonly #recorded: RecordedRequest[];
  #kept: Measurement[] = [];

  /** @param recorded what the proxies append to */
  constructor(functions: FunctionProcess, recorded: RecordedRequest[]) {
    this.#functions = functions;
    this.#recorded = recorded;
  }

  async call(name: string, file: FunctionFile, event: unknown): Promise<unknown> {
    this.#recorded.length = 0;
    const { result, elapsedMs } = await this.#functions.call(file, event);
    this.#kept.push({ name, requests: [...this.#recorded], elapsedMs });
    return result;
  }

  /** A call of a route. @returns the body. @throws CallUnexpectedError when the status is another. */
  async route(name: string, file: FunctionFile, event: unknown, status: number): Promise<unknown> {
    const { statusCode, body } = (await this.call(name, file, event)) as ApiResult;
    if (statusCode === status) return JSON.parse(body);
    throw new CallUnexpectedError(`${name}: ${statusCode} instead of ${status}: ${body}`);
  }

  /** The last call made no such request. @throws CallUnexpectedError */
  expectNone(operation: string): void {
    const { name, requests } = this.#kept.at(-1) ?? { name: 'no call', requests: [] };
    const found = requests.some((request) => request.operation === operation);
    if (found) throw new CallUnexpectedError(`${name}: an unexpected ${operation}`);
  }

  /** What was kept since the last time. */
  take(): Measurement[] {
    const kept = this.#kept;
    this.#kept = [];
    return kept;
  }
}
