import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { type LoopbackProxy, startLoopbackProxy } from './loopback-proxy.ts';
import { type Ask, askAt, postRpc, type RpcAnswer, type RpcCall, RpcRefusal } from './rpc-call.ts';

/** Gives a call's result in place of the one that `ask` would give. @throws RpcRefusal to answer with an error. */
export type Answering = (call: RpcCall, ask: Ask) => Promise<unknown>;

/** Fault of calls. `answered` affects only the call, any other the HTTP request with all its calls. */
export type RpcFault =
  | { readonly kind: 'request dropped' | 'answer dropped' | 'garbage' }
  | { readonly kind: 'refused'; readonly status: number }
  /** More calls than `most` in one request are refused together, by one error and HTTP 200. */
  | { readonly kind: 'batch refused'; readonly most: number }
  | { readonly kind: 'answered'; readonly by: Answering };

export interface RpcRule {
  readonly fault: RpcFault;
  /** Methods that meet the fault; without it, all of them. */
  readonly methods?: readonly string[];
  /** Number of HTTP requests with such a call that meet it; without it, all until it is lifted. */
  readonly times?: number;
}

type FaultOf<Kind extends RpcFault['kind']> = Extract<RpcFault, { kind: Kind }>;

function matches({ methods }: RpcRule, { method }: RpcCall): boolean {
  return methods === undefined || methods.includes(method);
}

function find<Kind extends RpcFault['kind']>(
  rules: readonly RpcRule[],
  kind: Kind,
): FaultOf<Kind> | undefined {
  return rules.map(({ fault }) => fault).find((fault): fault is FaultOf<Kind> => fault.kind === kind);
}

const batchTooLarge = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}';

/** A provider on a free port of the loopback, in front of a node, whose calls fail as rules say. */
export class RpcProxy {
  /** Number of calls of each method, failed ones included. */
  readonly counts = new Map<string, number>();
  readonly #target: string;
  readonly #always: readonly RpcRule[];
  #server: LoopbackProxy = { url: '', close: async () => {} };
  #rules: { readonly rule: RpcRule; left: number }[] = [];

  private constructor(target: string, always: readonly RpcRule[]) {
    this.#target = target;
    this.#always = always;
  }

  /** Starts a proxy. @param always rules that are older than all others and are never lifted */
  static async start(target: string, always: readonly RpcRule[] = []): Promise<RpcProxy> {
    const proxy = new RpcProxy(target, always);
    proxy.#server = await startLoopbackProxy((request, response) => proxy.#serve(request, response));
    return proxy;
  }

  get url(): string {
    return this.#server.url;
  }

  stop(): Promise<void> {
    return this.#server.close();
  }

  /** Adds a rule before the others, which it may ask; returns a function that lifts it. */
  set(rule: RpcRule): () => void {
    const active = { rule, left: rule.times ?? Number.POSITIVE_INFINITY };
    this.#rules.unshift(active);
    return () => {
      this.#rules = this.#rules.filter((one) => one !== active);
    };
  }

  clear(): void {
    this.#rules = [];
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const body: RpcCall | RpcCall[] = JSON.parse(text);
    const calls = [body].flat();
    const rules = this.#take(calls);
    if (find(rules, 'request dropped')) return void response.destroy();
    const refusal = find(rules, 'refused');
    if (refusal) return void response.writeHead(refusal.status).end('busy');
    const most = find(rules, 'batch refused')?.most ?? calls.length;
    const answer = calls.length > most ? batchTooLarge : await this.#answer(text, body, rules);
    if (find(rules, 'answer dropped')) return void response.destroy();
    response.setHeader('content-type', 'application/json');
    response.end(find(rules, 'garbage') ? '<html>busy</html>' : answer);
  }

  /** Counts the calls, and uses each rule that concerns them once. @returns those rules, newest first */
  #take(calls: readonly RpcCall[]): RpcRule[] {
    for (const { method } of calls) this.counts.set(method, (this.counts.get(method) ?? 0) + 1);
    const concerned = (rule: RpcRule) => calls.some((call) => matches(rule, call));
    const active = this.#rules.filter(({ rule, left }) => left > 0 && concerned(rule));
    for (const one of active) one.left--;
    return [...active.map(({ rule }) => rule), ...this.#always.filter(concerned)];
  }

  async #answer(text: string, body: RpcCall | RpcCall[], rules: readonly RpcRule[]): Promise<string> {
    if (!find(rules, 'answered')) return postRpc(this.#target, text);
    const one = (call: RpcCall) => answerOf(call, askAt(this.#target), rules);
    return JSON.stringify(await (Array.isArray(body) ? Promise.all(body.map(one)) : one(body)));
  }
}

async function answerOf(call: RpcCall, node: Ask, rules: readonly RpcRule[]): Promise<RpcAnswer> {
  const { jsonrpc, id } = call;
  try {
    return { jsonrpc, id, result: await resultOf(call, node, rules) };
  } catch (error) {
    if (error instanceof RpcRefusal) return { jsonrpc, id, error: error.error };
    throw error;
  }
}

/** Gives the newest rule's answer; that rule may ask the next, and so on down to the node. */
function resultOf(call: RpcCall, node: Ask, rules: readonly RpcRule[]): Promise<unknown> {
  const at = rules.findIndex((rule) => rule.fault.kind === 'answered' && matches(rule, call));
  const fault = rules[at]?.fault;
  if (fault?.kind !== 'answered') return node(call.method, call.params);
  const below = rules.slice(at + 1);
  return fault.by(call, (method, params = []) => resultOf({ ...call, method, params }, node, below));
}
