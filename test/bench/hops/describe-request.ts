/** What a request of a function is, as far as its cost goes. */
export interface RequestKind {
  readonly service: 'DynamoDB' | 'chain' | 'Step Functions' | 'KMS' | 'SSM';
  /** The AWS action, or the JSON-RPC methods inside. */
  readonly operation: string;
  /** JSON-RPC calls in one HTTP request; 1 for AWS. */
  readonly calls: number;
}

/** A request of a kind that the service was not known to make: the numbers would be silent about it. */
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

/** @param target the header `x-amz-target`, which requests to the chain lack. @throws RequestUnknownError */
export function describeRequest(target: string | undefined, body: string): RequestKind {
  if (target === undefined) return chainRequest(body);
  const [prefix = '', operation = ''] = target.split('.');
  const service = services[prefix];
  if (service === undefined) throw new RequestUnknownError(target);
  return { service, operation, calls: 1 };
}
