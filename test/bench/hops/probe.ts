import type { FunctionFile } from '../../../lib/access/function-access.ts';
import type { RecordedRequest } from './counting-proxy.ts';
import type { FunctionProcess } from './function-process.ts';

/** A call of a function, with its requests to other services. */
export interface Measurement {
  /** Purpose of the call. */
  readonly name: string;
  readonly requests: readonly RecordedRequest[];
  readonly elapsedMs: number;
}

/** The call did something other than its name says, so its numbers would mislead. */
export class CallUnexpectedError extends Error {
  override readonly name = 'CallUnexpectedError';
}

interface ApiResult {
  readonly statusCode: number;
  readonly body: string;
}

/** Calls functions one at a time, and keeps the cost of each call, in order. */
export class Probe {
  readonly #functions: FunctionProcess;
  readonly #recorded: RecordedRequest[];
  #kept: Measurement[] = [];

  /** @param recorded list to which the proxies append */
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

  /** Calls a route. @returns the body. @throws CallUnexpectedError when the status is another. */
  async route(name: string, file: FunctionFile, event: unknown, status: number): Promise<unknown> {
    const { statusCode, body } = (await this.call(name, file, event)) as ApiResult;
    if (statusCode === status) return JSON.parse(body);
    throw new CallUnexpectedError(`${name}: ${statusCode} instead of ${status}: ${body}`);
  }

  /** Checks that the last call made no such request. @throws CallUnexpectedError */
  expectNone(operation: string): void {
    const { name, requests } = this.#kept.at(-1) ?? { name: 'no call', requests: [] };
    const found = requests.some((request) => request.operation === operation);
    if (found) throw new CallUnexpectedError(`${name}: an unexpected ${operation}`);
  }

  /** Takes the measurements since the last call of `take`. */
  take(): Measurement[] {
    const kept = this.#kept;
    this.#kept = [];
    return kept;
  }
}
