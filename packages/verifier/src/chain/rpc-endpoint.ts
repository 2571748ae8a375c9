import { postJsonRpc, type RpcQuestion } from './json-rpc.ts';

/** A request function of EIP-1193, which takes `{ method, params }`. Libraries have narrower types, hence `never`. */
export interface RequestFunction {
  request(question: never): Promise<unknown>;
}

/** A provider: the http or https URL of a JSON-RPC endpoint, or a request function with an optional name. */
export type RpcEndpoint = string | (RequestFunction & { readonly name?: string | undefined });

/** An invalid URL, or not http or https. The message does not repeat it, because it may contain a key. */
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
  // Only the host: paths and queries of RPC URLs contain keys.
  return { name: url.host, request: (question) => postJsonRpc(endpoint, question) };
}

/** Gives each endpoint a different name. @throws RpcUrlInvalidError */
export function nameEndpoints(endpoints: readonly RpcEndpoint[]): NamedEndpoint[] {
  const all = endpoints.map(named);
  return all.map((endpoint, position) => {
    const before = all.slice(0, position).filter(({ name }) => name === endpoint.name).length;
    return before === 0 ? endpoint : { ...endpoint, name: `${endpoint.name} (${before + 1})` };
  });
}
