import { CommanderError } from 'commander';
import {
  ApiKeyInvalidError,
  ArgumentInvalidError,
  AttestationFailedError,
  ConnectionFailedError,
  DelegationInactiveError,
  ImprimaturError,
  LinkFailedError,
  RefusalError,
} from 'imprimatur-client';
import {
  AttestedTextMismatchError,
  BlockHashInvalidError,
  DomainInvalidError,
  EventsUnavailableError,
  PassageInvalidError,
  ProofInvalidError,
  ProofUnavailableError,
  ReferenceInvalidError,
  RpcUrlInvalidError,
} from 'imprimatur-verifier';
import { CommandError } from './errors.ts';
import { durationText } from './text.ts';

export type Failure = Pick<CommandError, 'exitCode' | 'message' | 'details'>;

/** Exit codes for errors of the verifier: 1 if the request cannot be carried out, 2 for invalid input or no proof. */
const verifierErrors = [
  [1, [AttestedTextMismatchError, EventsUnavailableError, PassageInvalidError]],
  [2, [BlockHashInvalidError, DomainInvalidError, ProofInvalidError, ProofUnavailableError]],
  [2, [ReferenceInvalidError, RpcUrlInvalidError]],
] as const;

/** Describes an expected failure; `undefined` for any other. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof CommanderError) return { exitCode: 2, message: usageText(error), details: {} };
  if (error instanceof CommandError) return error;
  if (error instanceof ImprimaturError) return failureOfClient(error);
  for (const [exitCode, types] of verifierErrors)
    if (error instanceof Error && types.some((type) => error instanceof type))
      return { exitCode, message: error.message, details: {} };
  return undefined;
}

function failureOfClient(error: ImprimaturError): Failure {
  const exitCode = error instanceof ArgumentInvalidError ? 2 : 1;
  return { exitCode, message: `${error.message}${advice(error)}`, details: detailsOf(error) };
}

function detailsOf(error: ImprimaturError): Failure['details'] {
  if (error instanceof AttestationFailedError || error instanceof LinkFailedError) {
    return { attestation: error.attestation };
  }
  if (!(error instanceof RefusalError)) return {};
  const { status, requestId, retryAfterSeconds } = error;
  return { status, requestId, retryAfterSeconds };
}

function advice(error: ImprimaturError): string {
  if (error instanceof ApiKeyInvalidError) return '; check IMPRIMATUR_API_KEY';
  if (error instanceof DelegationInactiveError) return '; run imprimatur delegate to see how to delegate';
  if (error instanceof ConnectionFailedError) return connectionAdvice(error);
  return error instanceof RefusalError ? refusalAdvice(error) : '';
}

/** If the URL is on this machine, the network is not the cause. */
function connectionAdvice({ message }: ConnectionFailedError): string {
  return / http:\/\/(localhost|127\.0\.0\.1|\[::1\])/.test(message)
    ? '; check that the service runs there, or start a local one with npm start'
    : '; check IMPRIMATUR_URL and the network';
}

function refusalAdvice({ status, message, requestId, retryAfterSeconds }: RefusalError): string {
  const request = status >= 500 && requestId !== undefined ? ` (request ${requestId})` : '';
  if (retryAfterSeconds === undefined) return request;
  // The service's message may already end this way, without the time.
  const again = message.endsWith('; try again') ? '' : '; try again';
  return `${again} in ${durationText(retryAfterSeconds)}${request}`;
}

/** Removes "error:" and line breaks from a message of commander. For a missing command, commander has no message. */
function usageText(error: CommanderError): string {
  if (error.code === 'commander.help') return 'missing command; --help lists all commands';
  return error.message.replace(/^error: /, '').replaceAll(/\s+/g, ' ');
}
