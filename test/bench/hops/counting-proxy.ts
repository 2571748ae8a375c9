import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type LoopbackServer, startLoopbackServer } from '../../fakes/rpc/loopback-server.ts';
import type { Interval } from './sequential-hops.ts';

/** AWS's JSON protocols name the service and the action in the header `x-amz-target`. */
const services = {
  DynamoDB_20120810: 'DynamoDB',
  AWSStepFunctions: 'Step Functions',
  TrentService: 'KMS',
  AmazonSSM: 'SSM',
} as const;

/** An HTTP request that passed a proxy. */
export interface RecordedRequest extends Interval {
  readonly service: (typeof services)[keyof typeof services] | 'chain';
  /** The AWS action, or the JSON-RPC methods inside. */
  readonly operation: string;
  /** Number of JSON-RPC calls in it; 1 for AWS. */
  readonly calls: number;
}

type Kind = Omit<RecordedRequest, keyof Interval>;

/** The service sent a request of an unknown kind, which the numbers would leave out. */
class RequestUnknownError extends Error {
  override readonly name = 'RequestUnknownError';
}

/** Describes a request. Those to the chain have no header `x-amz-target`. @throws RequestUnknownError */
function kindOf(target: string | undefined, body: string): Kind {
  if (target === undefined) {
    const calls = [JSON.parse(body)].flat().map(({ method }: { method: string }) => method);
    return { service: 'chain', operation: calls.join('+'), calls: calls.length };
  }
  const [prefix = '', operation = ''] = target.split('.');
  const service = services[prefix as keyof typeof services];
  if (service === undefined) throw new RequestUnknownError(target);
  return { service, operation, calls: 1 };
}

/** Added to every request, so that waiting outweighs computing. */
const delayMs = 50;

/** Response to StartExecution, because the bench runs the executions itself. */
const started = () => Response.json({ executionArn: 'bench', startDate: 0 });

/** Starts a proxy on loopback that passes requests on, except those to Step Functions, and records each. */
export function startCountingProxy(target: string, recorded: RecordedRequest[]): Promise<LoopbackServer> {
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAtMs = performance.now();
    const body = await text(request);
    const { authorization = '', ...given } = request.headers;
    const [action, type = 'application/json'] = [given['x-amz-target']?.toString(), given['content-type']];
    const kind = kindOf(action, body);
    await pause(delayMs);
    const headers = { authorization, 'content-type': type, ...(action && { 'x-amz-target': action }) };
    const answer =
      kind.service === 'Step Functions' ? started() : await fetch(target, { method: 'POST', headers, body });
    const answered = await answer.text();
    // Recorded before the answer is sent: the function's next request begins later.
    recorded.push({ ...kind, startedAtMs, endedAtMs: performance.now() });
    response.writeHead(answer.status, { 'content-type': type }).end(answered);
  };
  return startLoopbackServer(forward);
}
