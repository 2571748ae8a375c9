import { postJsonRpc, type RpcQuestion } from './json-rpc.ts';

/** A request function of EIP-1193, which takes `{ method, params }`. Libraries narrow the methods, so the type says less. */
export interface RequestFunction {
  request(question: never): Promise<unknown>;
}

/** A provider to ask: the http or https URL of a JSON-RPC endpoint, or a request function with the name to call it by. */
export type RpcEndpoint = string | (RequestFunction & { readonly name?: string | undefined });

/** A URL that is none, or not of http or https. The message does not repeat it, since it may hold a key. */
export class RpcUrlInvalidError extends Error {
  override name = 'RpcUrlInvalidError';
  constructor() {
    super('an RPC endpoint must be an http or https URL, or have a request function');
  }
}

export interface NamedEndpoint {
  readonly name: string;
  request(question: RpcQuestion): Promise<unknown>;
}

function named(endpoint: RpcEndpoint, position: number): NamedEndpoint {
  if (typeof endpoint !== 'string') {
    const name = endpoint.name ?? `provider ${position + 1}`;
    return { name, request: (question) => endpoint.request(question as never) };
  }
  if (!URL.canParse(endpoint)) throw new RpcUrlInvalidError();
  const url = new URL(endpoint);
  if (!/^https?:$/.test(url.protocol)) throw new RpcUrlInvalidError();
  // The host alone: paths and queries of RPC URLs hold keys.
  return { name: url.host, request: (question) => postJsonRpc(endpoint, question) };
}

/** The endpoints, each with a name of its own. @throws RpcUrlInvalidError */
export function nameEndpoints(endpoints: readonly RpcEndpoint[]): NamedEndpoint[] {
  const all = endpoints.map(named);
  return all.map((endpoint, position) => {
    const before = all.slice(0, position).filter(({ name }) => name === endpoint.name).length;
    return before === 0 ? endpoint : { ...endpoint, name: `${endpoint.name} (${before + 1})` };
  });
}
