/** Kind of a function's request, which its cost depends on. */
export interface RequestKind {
  readonly service: 'DynamoDB' | 'chain' | 'Step Functions' | 'KMS' | 'SSM';
  /** The AWS action, or the JSON-RPC methods inside. */
  readonly operation: string;
  /** Number of JSON-RPC calls in one HTTP request; 1 for AWS. */
  readonly calls: number;
}

/** A kind of request that the service was not known to make: the numbers would leave it out. */
export class RequestUnknownError extends Error {
  override readonly name = 'RequestUnknownError';
}

/** AWS's JSON protocols name the action in the header `x-amz-target`. */
const services: Readonly<Record<string, RequestKind['service']>> = {
  DynamoDB_20120810: 'DynamoDB',
  AWSStepFunctions: 'Step Functions',
  TrentService: 'KMS',
  AmazonSSM: 'SSM',
};

function chainRequest(body: string): RequestKind {
  const calls = [JSON.parse(body)].flat() as { method: string }[];
  return { service: 'chain', operation: calls.map(({ method }) => method).join('+'), calls: calls.length };
}

/**
 * Describes a request.
 * @param target the header `x-amz-target`, which requests to the chain lack. @throws RequestUnknownError
 */
export function describeRequest(target: string | undefined, body: string): RequestKind {
  if (target === undefined) return chainRequest(body);
  const [prefix = '', operation = ''] = target.split('.');
  const service = services[prefix];
  if (service === undefined) throw new RequestUnknownError(target);
  return { service, operation, calls: 1 };
}
