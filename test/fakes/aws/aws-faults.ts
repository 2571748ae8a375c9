import { setTimeout as sleep } from 'node:timers/promises';
import { forever, Processes } from '../ports/processes.ts';
import { answerTimeout, conflicting, connectionRefused, throttled } from './aws-answers.ts';

/**
 * What befalls one request to AWS, each attempt of the SDK's counted alone: it is answered with throttling or a
 * conflict in place of its effect, never reaches AWS, has its effect but no answer in time, takes long, or is the last
 * thing before or after which the process ends.
 */
export type AwsFaultKind =
  | 'throttled'
  | 'conflict'
  | 'refused'
  | 'answer lost'
  | 'slow'
  | 'killed before'
  | 'killed after';

export interface AwsFault {
  readonly kind: AwsFaultKind;
  /** Of which command, such as `TransactWriteItems`; of any, without. */
  readonly command?: string;
  /** Of those alone whose body names this, an id say. */
  readonly about?: string;
  /** Which request of it is the first, counted from 1 when this is set; the next, without. */
  readonly nth?: number;
  /** How many requests in a row from there; 1, without. */
  readonly times?: number;
}

interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** As far as all clients of the SDK are alike. */
export interface AwsClient {
  readonly config: {
    readonly requestHandler: {
      handle(request: SentRequest, options?: object): Promise<{ response: object }>;
    };
  };
}

const slowMilliseconds = 50;

/** Below the SDK's own retries: what AWS would do to each attempt happens to it here. */
export class AwsFaults {
  /** The command of every request, in the order in which they were made. */
  readonly calls: string[] = [];
  readonly #processes: Processes;
  #faults: { readonly fault: AwsFault; seen: number }[] = [];

  /** @param processes where those run that are killed */
  constructor(processes = new Processes()) {
    this.#processes = processes;
  }

  /** From now on; of several for one request the oldest counts. */
  inject(fault: AwsFault): void {
    this.#faults.push({ fault, seen: 0 });
  }

  /** Nothing goes wrong any more. */
  clear(): void {
    this.#faults = [];
  }

  /** Lets all requests of a client through here. */
  watch(client: AwsClient): void {
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
    const kind = this.#next(command, () => new TextDecoder().decode(request.body));
    if (kind === 'throttled') return { response: throttled(service) };
    if (kind === 'conflict') return { response: conflicting(command, request.body ?? new Uint8Array()) };
    if (kind === 'refused') throw connectionRefused();
    if (kind === 'killed before') return this.#processes.kill(command);
    if (kind === 'slow') await sleep(slowMilliseconds);
    const answer = await send();
    if (kind === 'answer lost') throw answerTimeout();
    if (kind === 'killed after') return this.#processes.kill(command);
    return answer;
  }

  #next(command: string, bodyOf: () => string): AwsFaultKind | undefined {
    this.calls.push(command);
    const concerned = this.#faults.filter(
      ({ fault: { command: only = command, about } }) =>
        only === command && (about === undefined || bodyOf().includes(about)),
    );
    for (const one of concerned) one.seen++;
    const happening = concerned.find(({ fault: { nth = 1 }, seen }) => seen >= nth);
    this.#faults = this.#faults.filter(({ fault: { nth = 1, times = 1 }, seen }) => seen < nth + times - 1);
    return happening?.fault.kind;
  }
}

/** `DynamoDB_20120810.GetItem`, say. */
function targetOf({ headers }: SentRequest): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-amz-target')?.[1] ?? '';
}
