import { forever, Processes } from '../ports/processes.ts';
import { conflictAnswer, connectionRefusedError, throttlingAnswer, timeoutError } from './aws-answers.ts';

/**
 * Fault of one request to AWS; each attempt of the SDK is a request. With `throttled` and `conflict`, the request has
 * no effect; with `refused`, it never reaches AWS; with `answer lost`, it has its effect, but no answer arrives in
 * time; with the others, the process ends before or after the effect.
 */
export type AwsFaultKind =
  | 'throttled'
  | 'conflict'
  | 'refused'
  | 'answer lost'
  | 'killed before'
  | 'killed after';

/** A fault, and the requests that it affects. */
export interface AwsFault {
  readonly kind: AwsFaultKind;
  /** Command of the requests, such as `TransactWriteItems`; without it, any command. */
  readonly command?: string;
  /** Number of the first affected request, counted from 1 at the injection; without it, the next request. */
  readonly nth?: number;
  /** Number of affected requests in a row; 1 without it. */
  readonly times?: number;
}

interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** The part common to all clients of the SDK. */
export interface AwsClient {
  readonly config: {
    readonly requestHandler: {
      handle(request: SentRequest, options?: object): Promise<{ response: object }>;
    };
  };
}

/** Injects faults below the SDK's own retries, into each attempt, where AWS itself would cause them. */
export class AwsFaults {
  readonly #processes: Processes;
  #faults: { readonly fault: AwsFault; seen: number }[] = [];

  /** @param processes runs the functions that a fault may kill */
  constructor(processes = new Processes()) {
    this.#processes = processes;
  }

  /** Adds a fault. If several match a request, the oldest applies. */
  inject(fault: AwsFault): void {
    this.#faults.push({ fault, seen: 0 });
  }

  clear(): void {
    this.#faults = [];
  }

  /** Injects the faults into all requests of a client. */
  intercept(client: AwsClient): void {
    const { requestHandler } = client.config;
    const send = requestHandler.handle.bind(requestHandler);
    requestHandler.handle = (request, options) => this.#pass(request, () => send(request, options));
  }

  async #pass(
    request: SentRequest,
    send: () => Promise<{ response: object }>,
  ): Promise<{ response: object }> {
    if (this.#processes.isDead) return forever();
    const [service = '', command = ''] = targetOf(request).split('.');
    const kind = this.#next(command);
    if (kind === 'throttled') return { response: throttlingAnswer(service) };
    if (kind === 'conflict') return { response: conflictAnswer(command, request.body ?? new Uint8Array()) };
    if (kind === 'refused') throw connectionRefusedError();
    if (kind === 'killed before') return this.#processes.kill(command);
    const answer = await send();
    if (kind === 'answer lost') throw timeoutError();
    if (kind === 'killed after') return this.#processes.kill(command);
    return answer;
  }

  #next(command: string): AwsFaultKind | undefined {
    const matching = this.#faults.filter(({ fault: { command: only = command } }) => only === command);
    for (const entry of matching) entry.seen++;
    const active = matching.find(({ fault: { nth = 1 }, seen }) => seen >= nth);
    this.#faults = this.#faults.filter(({ fault: { nth = 1, times = 1 }, seen }) => seen < nth + times - 1);
    return active?.fault.kind;
  }
}

/** The action of a request, such as `DynamoDB_20120810.GetItem`. */
function targetOf({ headers }: SentRequest): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-amz-target')?.[1] ?? '';
}
