import { postJsonRpc, type RpcRequest } from './json-rpc.ts';

/** A request function of EIP-1193, which takes `{ method, params }`. Libraries have narrower types, hence `never`. */
export interface RequestFunction {
  request(rpcRequest: never): Promise<unknown>;
}

/** An RPC provider: an http or https URL, or a request function with an optional name. */
export type RpcEndpoint = string | (RequestFunction & { readonly name?: string | undefined });

/** The URL is invalid, or neither http nor https. The message does not contain it, because it may contain a key. */
export class RpcUrlInvalidError extends Error {
  override name = 'RpcUrlInvalidError';
  constructor() {
    super('an RPC endpoint must be an http or https URL, or have a request function');
  }
}

export interface NamedEndpoint {
  readonly name: string;
  request(rpcRequest: RpcRequest): Promise<unknown>;
}

function nameEndpoint(endpoint: RpcEndpoint, position: number): NamedEndpoint {
  if (typeof endpoint !== 'string') {
    const name = endpoint.name ?? `provider ${position + 1}`;
    return { name, request: (rpcRequest) => endpoint.request(rpcRequest as never) };
  }
  if (!URL.canParse(endpoint)) throw new RpcUrlInvalidError();
  const url = new URL(endpoint);
  if (!/^https?:$/.test(url.protocol)) throw new RpcUrlInvalidError();
  // Only the host: paths and queries of RPC URLs contain keys.
  return { name: url.host, request: (rpcRequest) => postJsonRpc(endpoint, rpcRequest) };
}

/** Gives each endpoint a different name. @throws RpcUrlInvalidError */
export function nameEndpoints(endpoints: readonly RpcEndpoint[]): NamedEndpoint[] {
  const namedEndpoints = endpoints.map(nameEndpoint);
  return namedEndpoints.map((endpoint, position) => {
    const duplicates = namedEndpoints.slice(0, position).filter(({ name }) => name === endpoint.name).length;
    return duplicates === 0 ? endpoint : { ...endpoint, name: `${endpoint.name} (${duplicates + 1})` };
  });
}
