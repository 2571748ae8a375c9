import { ThrottledError } from '../../domain/errors.ts';

/** AWS errors under load: https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html */
const loadErrors = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestTimeout',
  'RequestTimeoutException',
  'ThrottlingException',
  'TimeoutError',
  'TooManyRequestsException',
  'TransactionInProgressException',
]);

const networkCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Returns the error name for a state machine, which retries a `ThrottledError` for a long time. */
export function retryName(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  const { name, code = '', $fault } = error as Error & { readonly $fault?: string; readonly code?: string };
  const isTemporary = $fault === 'server' || loadErrors.has(name) || networkCodes.has(code);
  return isTemporary ? ThrottledError.name : name;
}

/** Timeouts of one attempt, in milliseconds: all attempts together fit into a route's 29 seconds. */
export const awsTimeouts = {
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 6_000, throwOnRequestTimeout: true },
};
