import { isRecord } from '../part.ts';

/** A request to a node, in the form of EIP-1193. */
export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An error that a node returned, with the fields of JSON-RPC. */
export class RpcRefusalError extends Error {
  readonly code: number | undefined;
  readonly data: unknown;
  constructor({ code, message, data }: Readonly<Record<string, unknown>>) {
    super(typeof message === 'string' ? message : '');
    this.code = typeof code === 'number' ? code : undefined;
    this.data = data;
  }
}

/** The node did not return a JSON-RPC answer. The message describes what it returned, without its URL. */
export class RpcUnansweredError extends Error {}

const attempts = 3;
const pauseMilliseconds = 250;
const attemptMilliseconds = 10_000;
/** A block with 15,000 transaction hashes takes a megabyte. If logs exceed 8 MiB, `readLogs` requests fewer blocks. */
const maxAnswerBytes = 8 * 1024 * 1024;

const isTransient = (status: number) => status === 429 || status >= 500;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const post = (url: string, body: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    // Reports name the host of the URL, and a redirect would lead to another host.
    redirect: 'manual',
    signal: AbortSignal.timeout(attemptMilliseconds),
  });

async function postWithRetries(url: string, body: string): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await post(url, body).catch(() => undefined);
    const isLast = attempt === attempts;
    if (response && (isLast || !isTransient(response.status))) return response;
    // Omits the cause, because its text may contain the URL.
    if (isLast) throw new RpcUnansweredError('does not answer');
    await response?.body?.cancel();
    await pause(attempt * pauseMilliseconds);
  }
}

/** Reads a body, but not much more than `maxBytes`: a hostile server could send without end. */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length <= maxBytes) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) break;
    chunks.push(value);
    length += value.length;
  }
  await reader?.cancel();
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

async function readJson(response: Response): Promise<unknown> {
  try {
    const bytes = await readBody(response, maxAnswerBytes);
    return bytes.length > maxAnswerBytes ? undefined : JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Sends one request over HTTP, and retries transient failures. @throws RpcRefusalError, RpcUnansweredError */
export async function postJsonRpc(url: string, request: RpcRequest): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...request });
  const response = await postWithRetries(url, body);
  const answer = await readJson(response);
  if (isRecord(answer) && isRecord(answer.error)) throw new RpcRefusalError(answer.error);
  if (isRecord(answer) && 'result' in answer) return answer.result;
  throw new RpcUnansweredError(
    response.ok ? 'does not respond like a node' : `returned HTTP ${response.status}`,
  );
}
