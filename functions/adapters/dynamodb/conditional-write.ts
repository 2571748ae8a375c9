import { setTimeout } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { ThrottledError } from '../../domain/errors.ts';

/** Attempts of a write: the SDK retries neither canceled transactions nor conflicts with them. */
const maxTries = 10;

const firstPauseMilliseconds = 10;

type Cancellation = 'refused' | 'temporary';

/** A failed expectation takes precedence over other reported reasons. */
function cancellationOf(error: unknown): Cancellation | undefined {
  if (error instanceof ConditionalCheckFailedException) return 'refused';
  if (error instanceof TransactionConflictException) return 'temporary';
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const codes = (error.CancellationReasons ?? []).map(({ Code: code }) => code);
  if (codes.includes('ConditionalCheckFailed')) return 'refused';
  const temporary = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];
  return codes.some((code) => temporary.includes(code ?? '')) ? 'temporary' : undefined;
}

/** Tries a write. @returns false, with nothing written, if an expectation failed @throws ThrottledError if conflicts last */
export async function tryConditionalWrite(
  write: () => Promise<unknown>,
  wait: (milliseconds: number) => Promise<unknown> = setTimeout,
): Promise<boolean> {
  for (let count = 0; count < maxTries; count++) {
    try {
      await write();
      return true;
    } catch (error) {
      const cancellation = cancellationOf(error);
      if (cancellation === 'refused') return false;
      if (cancellation === undefined) throw error;
      await wait(firstPauseMilliseconds * 2 ** count * Math.random());
    }
  }
  throw new ThrottledError('the store is busy; try again');
}
