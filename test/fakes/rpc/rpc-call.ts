export interface RpcCall {
  readonly jsonrpc: '2.0';
  readonly id: number | string | null;
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcAnswer = Pick<RpcCall, 'jsonrpc' | 'id'> &
  ({ readonly result: unknown } | { readonly error: RpcError });

export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly error: RpcError;

  constructor(error: RpcError) {
    super(error.message);
    this.error = error;
  }
}

/** Requests one result from a node. @throws RpcRefusal if the answer is an error. */
export type RpcRequester = (method: string, params?: readonly unknown[]) => Promise<unknown>;

export async function postRpc(url: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body })).text();
}

export function requesterAt(url: string): RpcRequester {
  return async (method, params = []) => {
    const call: RpcCall = { jsonrpc: '2.0', id: 1, method, params };
    const answer: RpcAnswer = JSON.parse(await postRpc(url, JSON.stringify(call)));
    if ('error' in answer) throw new RpcRefusal(answer.error);
    return answer.result;
  };
}
