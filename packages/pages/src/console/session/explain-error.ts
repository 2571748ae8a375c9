import {
  AnswerUnusableError,
  ApiKeyInvalidError,
  ArgumentInvalidError,
  AttestationUnconfirmedError,
  ConnectionFailedError,
  ContentRevokedError,
  DelegationInactiveError,
  NotFoundError,
  RateLimitedError,
  RefusalError,
  RequestInvalidError,
  RequestTooLargeError,
} from 'imprimatur-client';
import { formatChain } from '../../shared/chain-format.ts';
import { formatDuration } from '../../shared/date-format.ts';

/** An error of this page, with a text for the publisher. */
export class ConsoleError extends Error {
  override name = 'ConsoleError';
}

const kept = 'What you entered stays here.';

/** Explains what happened and what to do, in sentences for a publisher. */
export function explainError(error: unknown): string {
  if (error instanceof ConsoleError) return error.message;
  if (error instanceof ArgumentInvalidError) return `${capitalize(error.message)}.`;
  if (error instanceof RefusalError) return explainRefusal(error);
  if (error instanceof ConnectionFailedError)
    return `The service does not answer. ${kept} Check the connection and the URL, and try again. If other programs can reach the service, ask its operator to add the page’s origin (${location.origin}) to corsOrigins.`;
  if (error instanceof AnswerUnusableError)
    return 'Another server answers at this URL, not the service. Check the URL.';
  return `This page failed: ${error instanceof Error ? error.message : String(error)}. ${kept}`;
}

function explainRefusal(error: RefusalError): string {
  if (error instanceof ApiKeyInvalidError)
    return `The service does not accept the API key: it is wrong, expired or revoked. ${kept} Choose “Change key” and enter another one.`;
  if (error instanceof DelegationInactiveError)
    return `Your authority does not let the service publish on ${formatChain(error.chainId)}. Delegate to the service there, then try again. ${kept}`;
  if (error instanceof ContentRevokedError)
    return `Your authority revoked this text on ${formatChain(error.chainId)}. It cannot be attested there again.`;
  if (error instanceof AttestationUnconfirmedError)
    return 'This works only with a confirmed attestation. Wait until it is confirmed.';
  if (error instanceof NotFoundError) return 'Your organization has no such attestation. Check the link.';
  if (error instanceof RequestTooLargeError) return 'The text is too large for the service.';
  if (error instanceof RequestInvalidError) return `The service refuses the input. ${explainIssues(error)}`;
  if (error instanceof RateLimitedError)
    return `The service’s limit for your organization is reached. ${kept} Try again ${retryTime(error)}.`;
  if (error.status === 403 && error.message.includes('may only read'))
    return `This API key is read-only. ${kept} To attest or correct a text, choose “Change key” and enter a key that may attest.`;
  if (error.status >= 500)
    return `The service has a problem (HTTP ${error.status}). ${kept} Try again ${retryTime(error)}.${requestText(error)}`;
  return `${capitalize(error.message)}.${requestText(error)}`;
}

const fieldNames: Readonly<Record<string, string>> = {
  content: 'Text',
  url: 'URL',
  contentCid: 'CID',
  chainId: 'Chain',
  createdAfter: 'From',
  createdBefore: 'To',
};

function explainIssues({ issues, message }: RequestInvalidError): string {
  if (issues.length === 0) return `${capitalize(message)}.`;
  return issues
    .map(({ path, message: reason }) => `${fieldNames[path.join('.')] ?? path.join('.')}: ${reason}.`)
    .join(' ')
    .replace(/^: /, '');
}

const requestText = ({ requestId }: RefusalError): string =>
  requestId ? ` If it happens again, give the operator this request ID: ${requestId}.` : '';

const retryTime = ({ retryAfterSeconds: seconds }: RefusalError) =>
  seconds === undefined ? 'in a minute' : `in ${formatDuration(seconds)}`;

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
