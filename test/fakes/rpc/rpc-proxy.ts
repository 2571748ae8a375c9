import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import {
  postRpc,
  type RpcAnswer,
  type RpcCall,
  RpcRefusal,
  type RpcRequester,
  requesterAt,
} from './rpc-call.ts';

/** Returns a call's result, instead of the one that `request` would return. @throws RpcRefusal to send an error */
export type Answerer = (call: RpcCall, request: RpcRequester) => Promise<unknown>;

/** A fault. `answered` affects single calls; the others affect the HTTP request with all its calls. */
export type RpcFault =
  | { readonly kind: 'request dropped' | 'answer dropped' | 'garbage' }
  | { readonly kind: 'refused'; readonly status: number }
  /** A request with more calls than `maxCalls` gets one error for all, with HTTP 200. */
  | { readonly kind: 'batch refused'; readonly maxCalls: number }
  | { readonly kind: 'answered'; readonly by: Answerer };

export interface RpcRule {
  readonly fault: RpcFault;
  /** Methods with the fault; by default, all. */
  readonly methods?: readonly string[];
  /** Number of HTTP requests with such a call that have the fault; by default, all until the rule is removed. */
  readonly times?: number;
}

type FaultOf<Kind extends RpcFault['kind']> = Extract<RpcFault, { kind: Kind }>;

function matches({ methods }: RpcRule, { method }: RpcCall): boolean {
  return methods === undefined || methods.includes(method);
}

function findFault<Kind extends RpcFault['kind']>(
  rules: readonly RpcRule[],
  kind: Kind,
): FaultOf<Kind> | undefined {
  return rules.map(({ fault }) => fault).find((fault): fault is FaultOf<Kind> => fault.kind === kind);
}

const batchTooLarge = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}';

/** A provider on a free loopback port, in front of a node. Rules decide which calls fail. */
export class RpcProxy {
  /** Number of calls of each method, failed ones included. */
  readonly counts = new Map<string, number>();
  readonly #target: string;
  readonly #always: readonly RpcRule[];
  #server: LoopbackServer = { url: '', close: async () => {} };
  #rules: { readonly rule: RpcRule; left: number }[] = [];

  private constructor(target: string, always: readonly RpcRule[]) {
    this.#target = target;
    this.#always = always;
  }

  /** Starts a proxy. @param always rules that are older than all others and are never removed */
  static async start(target: string, always: readonly RpcRule[] = []): Promise<RpcProxy> {
    const proxy = new RpcProxy(target, always);
    proxy.#server = await startLoopbackServer((request, response) => proxy.#serve(request, response));
    return proxy;
  }

  get url(): string {
    return this.#server.url;
  }

  stop(): Promise<void> {
    return this.#server.close();
  }

  /** Adds a rule before the others, which it can call. @returns a function that removes it */
  addRule(rule: RpcRule): () => void {
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
    if (findFault(rules, 'request dropped')) return void response.destroy();
    const refusal = findFault(rules, 'refused');
    if (refusal) return void response.writeHead(refusal.status).end('busy');
    const maxCalls = findFault(rules, 'batch refused')?.maxCalls ?? calls.length;
    const answer = calls.length > maxCalls ? batchTooLarge : await this.#answer(text, body, rules);
    if (findFault(rules, 'answer dropped')) return void response.destroy();
    response.setHeader('content-type', 'application/json');
    response.end(findFault(rules, 'garbage') ? '<html>busy</html>' : answer);
  }

  /** Counts the calls, and uses each matching rule once. @returns those rules, newest first */
  #take(calls: readonly RpcCall[]): RpcRule[] {
    for (const { method } of calls) this.counts.set(method, (this.counts.get(method) ?? 0) + 1);
    const isConcerned = (rule: RpcRule) => calls.some((call) => matches(rule, call));
    const active = this.#rules.filter(({ rule, left }) => left > 0 && isConcerned(rule));
    for (const entry of active) entry.left--;
    return [...active.map(({ rule }) => rule), ...this.#always.filter(isConcerned)];
  }

  async #answer(text: string, body: RpcCall | RpcCall[], rules: readonly RpcRule[]): Promise<string> {
    if (!findFault(rules, 'answered')) return postRpc(this.#target, text);
    const one = (call: RpcCall) => answerOf(call, requesterAt(this.#target), rules);
    return JSON.stringify(await (Array.isArray(body) ? Promise.all(body.map(one)) : one(body)));
  }
}

async function answerOf(call: RpcCall, node: RpcRequester, rules: readonly RpcRule[]): Promise<RpcAnswer> {
  const { jsonrpc, id } = call;
  try {
    return { jsonrpc, id, result: await resultOf(call, node, rules) };
  } catch (error) {
    if (error instanceof RpcRefusal) return { jsonrpc, id, error: error.error };
    throw error;
  }
}

/** Returns the newest rule's answer. That rule may request the next rule's, and so on down to the node. */
function resultOf(call: RpcCall, node: RpcRequester, rules: readonly RpcRule[]): Promise<unknown> {
  const index = rules.findIndex((rule) => rule.fault.kind === 'answered' && matches(rule, call));
  const fault = rules[index]?.fault;
  if (fault?.kind !== 'answered') return node(call.method, call.params);
  const below = rules.slice(index + 1);
  return fault.by(call, (method, params = []) => resultOf({ ...call, method, params }, node, below));
}
