import { Part } from '../part.ts';
import { orAborted } from './deadline.ts';
import { type RpcQuestion, RpcRefusalError, RpcUnansweredError } from './json-rpc.ts';
import type { NamedEndpoint } from './rpc-endpoint.ts';

/** A question that was put to a provider. */
export interface AskedQuestion extends RpcQuestion {
  readonly provider: string;
  /** Whether a result came back; an error of the node is none. */
  readonly answered: boolean;
}

/** A fault of a provider, which says nothing of the attestation; the message goes on from the provider's name. */
export class ProviderFaultError extends Error {
  override name = 'ProviderFaultError';
}

/** A provider's answer that no node gives. */
export function malformed(method: string): ProviderFaultError {
  return new ProviderFaultError(`returned no usable answer to ${method}`);
}

/** Answers that no registry gives together at one block; the chain may have reorganised between them. */
export class ContradictionError extends ProviderFaultError {
  override name = 'ContradictionError';
  constructor(what: string) {
    super(`contradicts itself: ${what}`);
  }
}

/** A node's error, for which there may be a reason in the question. */
export class NodeRefusalError extends Error {
  override name = 'NodeRefusalError';
  /** Whether the call was run and reverted. */
  readonly reverted: boolean;
  readonly code: number | undefined;
  constructor(code: number | undefined, reverted: boolean) {
    super(code === undefined ? 'returned an error' : `returned the error ${code}`);
    this.code = code;
    this.reverted = reverted;
  }
}

const executionReverted = 3;
/** Codes of JSON-RPC and of EIP-1193; other numbers, such as those of DOM exceptions, are no node's. */
const isNodeCode = (code: number) =>
  code === executionReverted || code <= -32_000 || (code >= 4000 && code < 5000);

function* causesOf(error: unknown): Generator<object> {
  // Wallets and libraries wrap the node's error, some in `cause`, some in `data`; ten layers are more than any has.
  for (let layer = 0, next = error; layer < 10 && typeof next === 'object' && next !== null; layer++) {
    yield next;
    next = 'cause' in next ? next.cause : 'data' in next ? next.data : undefined;
  }
}

const codeIn = (layer: object) =>
  'code' in layer && typeof layer.code === 'number' ? layer.code : undefined;
/** A provider may put anything where a text belongs, an object that cannot be made one among them. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const messageIn = (layer: object) => ('message' in layer ? textOf(layer.message) : '');
/** Revert data, which only a call that was run has. */
const hasData = (layer: object) => 'data' in layer && /^0x[0-9a-f]+$/i.test(textOf(layer.data));

function refusalIn(error: unknown): NodeRefusalError | undefined {
  const layers = [...causesOf(error)];
  const codes = layers.map(codeIn).filter((code) => code !== undefined);
  if (!codes.some(isNodeCode) && !(error instanceof RpcRefusalError)) return undefined;
  const reverted =
    codes.includes(executionReverted) ||
    layers.some((layer) => hasData(layer) || /\breverted\b|\brevert\b/i.test(messageIn(layer)));
  return new NodeRefusalError(codes[0], reverted);
}

/** A node, as it is asked in one verification. */
export class Provider {
  readonly name: string;
  readonly #endpoint: NamedEndpoint;
  readonly #deadline: AbortSignal;
  readonly #record: (question: AskedQuestion) => void;

  /** @param deadline signal after which no answer is waited for */
  constructor(endpoint: NamedEndpoint, deadline: AbortSignal, record: (question: AskedQuestion) => void) {
    this.name = endpoint.name;
    this.#endpoint = endpoint;
    this.#deadline = deadline;
    this.#record = record;
  }

  /** The same node, with another deadline: for work of many parts, each of which has its own time. */
  until(deadline: AbortSignal): Provider {
    return new Provider(this.#endpoint, deadline, this.#record);
  }

  /** Asks, and records that it asked. @throws NodeRefusalError, ProviderFaultError */
  async ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const question = { provider: this.name, method, params };
    try {
      const late = () => new ProviderFaultError('does not answer in time');
      const answer = await orAborted(this.#endpoint.request({ method, params }), this.#deadline, late);
      this.#record({ ...question, answered: true });
      return answer;
    } catch (error) {
      this.#record({ ...question, answered: false });
      if (error instanceof ProviderFaultError) throw error;
      throw refusalIn(error) ?? faultOf(error);
    }
  }

  /** Asks for JSON. @throws NodeRefusalError, ProviderFaultError, also for each part that is not what it is read as */
  async askPart(method: string, params: readonly unknown[]): Promise<Part> {
    return Part.of(await this.ask(method, params), () => malformed(method));
  }
}

/** The text of a foreign error is left out: it may hold the URL and so a key. */
function faultOf(error: unknown): ProviderFaultError {
  return new ProviderFaultError(error instanceof RpcUnansweredError ? error.message : 'does not answer');
}
