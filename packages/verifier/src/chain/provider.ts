import { Part } from '../part.ts';
import { raceAbort } from './deadline.ts';
import { RpcRefusalError, type RpcRequest, RpcUnansweredError } from './json-rpc.ts';
import type { NamedEndpoint } from './rpc-endpoint.ts';

export interface RecordedRequest extends RpcRequest {
  readonly provider: string;
  readonly answered: boolean;
}

/** A fault of a provider, not of the attestation. The message follows the provider's name in a sentence. */
export class ProviderFaultError extends Error {}

export function malformedAnswer(method: string): ProviderFaultError {
  return new ProviderFaultError(`returned no usable answer to ${method}`);
}

/** Answers that contradict each other; there may have been a reorg between them. */
export class ContradictionError extends ProviderFaultError {
  constructor(contradiction: string) {
    super(`contradicts itself: ${contradiction}`);
  }
}

export class NodeRefusalError extends Error {
  readonly reverted: boolean;
  readonly code: number | undefined;
  constructor(code: number | undefined, reverted: boolean) {
    super(code === undefined ? 'returned an error' : `returned the error ${code}`);
    this.code = code;
    this.reverted = reverted;
  }
}

const executionReverted = 3;
/** Codes of JSON-RPC and EIP-1193; other numbers, such as those of DOM exceptions, do not come from a node. */
const isNodeCode = (code: number) =>
  code === executionReverted || code <= -32_000 || (code >= 4000 && code < 5000);

function* causesOf(error: unknown): Generator<object> {
  // Wallets and libraries wrap the node's error in `cause` or `data`, never more than ten times.
  for (let layer = 0, next = error; layer < 10 && typeof next === 'object' && next !== null; layer++) {
    yield next;
    next = 'cause' in next ? next.cause : 'data' in next ? next.data : undefined;
  }
}

const codeIn = (layer: object) =>
  'code' in layer && typeof layer.code === 'number' ? layer.code : undefined;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const messageIn = (layer: object) => ('message' in layer ? textOf(layer.message) : '');
/** Whether an error has revert data, which only a reverted call returns. */
const hasData = (layer: object) => 'data' in layer && /^0x[0-9a-f]+$/i.test(textOf(layer.data));

function findRefusal(error: unknown): NodeRefusalError | undefined {
  const layers = [...causesOf(error)];
  const codes = layers.map(codeIn).filter((code) => code !== undefined);
  if (!codes.some(isNodeCode) && !(error instanceof RpcRefusalError)) return undefined;
  const reverted =
    codes.includes(executionReverted) ||
    layers.some((layer) => hasData(layer) || /\breverted\b|\brevert\b/i.test(messageIn(layer)));
  return new NodeRefusalError(codes[0], reverted);
}

/** Sends requests to a node until a deadline, and records them. */
export class Provider {
  readonly name: string;
  readonly #endpoint: NamedEndpoint;
  readonly #deadline: AbortSignal;
  readonly #record: (request: RecordedRequest) => void;

  constructor(endpoint: NamedEndpoint, deadline: AbortSignal, record: (request: RecordedRequest) => void) {
    this.name = endpoint.name;
    this.#endpoint = endpoint;
    this.#deadline = deadline;
    this.#record = record;
  }

  withDeadline(deadline: AbortSignal): Provider {
    return new Provider(this.#endpoint, deadline, this.#record);
  }

  /** Sends a request and records it. @throws NodeRefusalError, ProviderFaultError */
  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    const request = { provider: this.name, method, params };
    try {
      const timeout = () => new ProviderFaultError('does not answer in time');
      const answer = await raceAbort(this.#endpoint.request({ method, params }), this.#deadline, timeout);
      this.#record({ ...request, answered: true });
      return answer;
    } catch (error) {
      this.#record({ ...request, answered: false });
      if (error instanceof ProviderFaultError) throw error;
      throw findRefusal(error) ?? toFault(error);
    }
  }

  /** Sends a request whose answer is parsed; parsing errors are faults. @throws NodeRefusalError, ProviderFaultError */
  async requestPart(method: string, params: readonly unknown[]): Promise<Part> {
    return Part.ofValue(await this.request(method, params), () => malformedAnswer(method));
  }
}

/** Omits the text of an unknown error, because it may contain the URL and with it a key. */
function toFault(error: unknown): ProviderFaultError {
  return new ProviderFaultError(error instanceof RpcUnansweredError ? error.message : 'does not answer');
}
