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

export const refusal = (type: string, fields: object = {}): HttpAnswer =>
  answerOf(400, { __type: type, message: 'injected', ...fields });

/** Makes a throttling answer. DynamoDB names the table's limit, the other services the caller's. */
export function throttled(service: string): HttpAnswer {
  const dynamo = service === 'DynamoDB_20120810';
  return refusal(dynamo ? 'ProvisionedThroughputExceededException' : 'ThrottlingException');
}

/**
 * Makes DynamoDB's answer to a write that conflicts with a transaction, with a reason for each change of a transaction.
 */
export function conflicting(command: string, body: Uint8Array): HttpAnswer {
  if (command !== 'TransactWriteItems') return refusal('TransactionConflictException');
  const text = new TextDecoder().decode(body);
  const { TransactItems: items } = JSON.parse(text) as { TransactItems: readonly unknown[] };
  const reasons = items.map((_, change) => ({ Code: change === 0 ? 'TransactionConflict' : 'None' }));
  return refusal('TransactionCanceledException', { CancellationReasons: reasons });
}

/** Makes Node's error for a port that no server listens on. */
export function connectionRefused(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
}

/** Makes the SDK's error for an answer that did not come in time. */
export function answerTimeout(): Error {
  return Object.assign(new Error('injected'), { name: 'TimeoutError' });
}
