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
} from '../client/imprimatur.ts';
import { CommandError } from './errors.ts';

/** What a command that did not do its work ends with. */
export interface Failure {
  readonly exitCode: number;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A failure that was foreseen; `undefined` for any other. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof CommanderError) return { exitCode: 2, message: usageWords(error), details: {} };
  if (error instanceof CommandError) return error;
  if (!(error instanceof ImprimaturError)) return undefined;
  const exitCode = error instanceof ArgumentInvalidError ? 2 : 1;
  return { exitCode, message: `${error.message}${advice(error)}`, details: detailsOf(error) };
}

function detailsOf(error: ImprimaturError): Failure['details'] {
  if (error instanceof AttestationFailedError || error instanceof LinkFailedError) {
    return { attestation: error.attestation };
  }
  if (!(error instanceof RefusalError)) return {};
  const { status, requestId } = error;
  return { status, ...(requestId === undefined ? {} : { requestId }) };
}

function advice(error: ImprimaturError): string {
  if (error instanceof ApiKeyInvalidError) return '; check IMPRIMATUR_API_KEY';
  if (error instanceof DelegationInactiveError) return '; imprimatur chains shows whom to delegate to';
  if (error instanceof ConnectionFailedError) return '; check IMPRIMATUR_URL and the network';
  if (error instanceof RefusalError && error.status >= 500 && error.requestId !== undefined) {
    return ` (request ${error.requestId})`;
  }
  return '';
}

/** Commander's complaints start with "error:" and may take two lines; a command left out is none of them. */
function usageWords(error: CommanderError): string {
  if (error.code === 'commander.help') return 'a command is missing; --help lists them';
  return error.message.replace(/^error: /, '').replaceAll(/\s+/g, ' ');
}
