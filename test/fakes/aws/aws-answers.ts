/** An HTTP answer in the form that the SDK's own handler returns. */
export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

export function answerOf(statusCode: number, content: object): HttpAnswer {
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return { statusCode, headers, body: new TextEncoder().encode(JSON.stringify(content)) };
}

export const refusalAnswer = (type: string, fields: object = {}): HttpAnswer =>
  answerOf(400, { __type: type, message: 'injected', ...fields });

/** Creates a throttling answer. DynamoDB reports the table's limit, other services the caller's. */
export function throttlingAnswer(service: string): HttpAnswer {
  const dynamo = service === 'DynamoDB_20120810';
  return refusalAnswer(dynamo ? 'ProvisionedThroughputExceededException' : 'ThrottlingException');
}

/**
 * Creates DynamoDB's answer to a write that conflicts with a transaction. If the write is one too, each of its changes
 * has a reason.
 */
export function conflictAnswer(command: string, body: Uint8Array): HttpAnswer {
  if (command !== 'TransactWriteItems') return refusalAnswer('TransactionConflictException');
  const text = new TextDecoder().decode(body);
  const { TransactItems: items } = JSON.parse(text) as { TransactItems: readonly unknown[] };
  const reasons = items.map((_, change) => ({ Code: change === 0 ? 'TransactionConflict' : 'None' }));
  return refusalAnswer('TransactionCanceledException', { CancellationReasons: reasons });
}

export function connectionRefusedError(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
}

export function timeoutError(): Error {
  return Object.assign(new Error('injected'), { name: 'TimeoutError' });
}
