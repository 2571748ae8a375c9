import { setTimeout } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { ThrottledError } from '../../domain/errors.ts';

/** Attempts of a write: the SDK retries neither cancelled transactions nor conflicts with them. */
const tries = 10;

const firstPauseMilliseconds = 10;

type Cancellation = 'refused' | 'passing';

/** A failed expectation takes precedence over other reported reasons. */
function cancellationOf(error: unknown): Cancellation | undefined {
  if (error instanceof ConditionalCheckFailedException) return 'refused';
  if (error instanceof TransactionConflictException) return 'passing';
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const codes = (error.CancellationReasons ?? []).map(({ Code: code }) => code);
  if (codes.includes('ConditionalCheckFailed')) return 'refused';
  const passing = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];
  return codes.some((code) => passing.includes(code ?? '')) ? 'passing' : undefined;
}

/** @returns false if an expectation failed; then nothing is written @throws ThrottledError if conflicts last */
export async function tryConditionalWrite(
  write: () => Promise<unknown>,
  wait: (milliseconds: number) => Promise<unknown> = setTimeout,
): Promise<boolean> {
  for (let tried = 0; tried < tries; tried++) {
    try {
      await write();
      return true;
    } catch (error) {
      const cancellation = cancellationOf(error);
      if (cancellation === 'refused') return false;
      if (cancellation === undefined) throw error;
      await wait(firstPauseMilliseconds * 2 ** tried * Math.random());
    }
  }
  throw new ThrottledError('the store is busy; try again');
}
