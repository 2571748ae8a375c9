import { ChainUnreachableError, ExpectedError } from '../functions/domain/errors.ts';
import type { Target } from './deployment/target.ts';
import { RpcUrlsMissingError } from './terminal/errors.ts';

/** Error codes of the system when a connection cannot be made, or the server closes it. */
const connectionCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT'];

/** URLs, whose path and query may contain a provider's key. */
const urls = /\b(?:https?|wss?):\/\/[^\s"')]+/g;

export const noCredentials =
  'no AWS credentials or no region found; set AWS_PROFILE and AWS_REGION, or start a local stack with npm start';

/** Formats any error as one line, with the next step if it is known. */
export function operatorErrorLine(error: unknown, target: Target): string {
  if (error instanceof ChainUnreachableError) return unreachableText(error);
  if (error instanceof ExpectedError) return oneLine(error.message);
  if (isDisconnected(error)) return disconnectedText(target);
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'CredentialsProviderError' || error.message === 'Region is missing')
    return noCredentials;
  return safeLine(`${error.name}: ${error.message}`);
}

/** Adds the providers' errors. Missing RPC URLs are reported instead of the unreachable chain. */
function unreachableText({ message, cause }: ChainUnreachableError): string {
  if (cause instanceof RpcUrlsMissingError) return cause.message;
  return cause instanceof Error ? safeLine(`${message} (${cause.message})`) : message;
}

/** Removes URLs, because a provider's URL is a secret. */
export const withoutUrls = (text: string): string => text.replaceAll(urls, '<url>');

const safeLine = (text: string): string => oneLine(withoutUrls(text));

function disconnectedText(target: Target): string {
  return target.kind === 'local'
    ? `the local stack does not respond at ${target.endpointUrl}; start it with npm start, or pass --stack for a cloud stack`
    : 'cannot reach AWS; check the network, AWS_REGION, and AWS_ENDPOINT_URL';
}

/** For `localhost`, an AggregateError contains the errors of IPv6 and IPv4. */
function isDisconnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && connectionCodes.includes(code)) return true;
  if (error.name === 'TimeoutError') return true;
  return error instanceof AggregateError ? error.errors.some(isDisconnected) : isDisconnected(error.cause);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
