import { setTimeout as pause } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { ThrottledError } from '../domain/errors.ts';

/** The SDK does not retry a cancelled transaction; conflicts and throttling pass within this many tries. */
const tries = 10;

const firstPauseMilliseconds = 10;

type Cancellation = 'refused' | 'passing';

/** A failed expectation decides, whatever else was reported beside it. */
function cancellationOf(error: TransactionCanceledException): Cancellation | undefined {
  const codes = (error.CancellationReasons ?? []).map(({ Code: code }) => code);
  if (codes.includes('ConditionalCheckFailed')) return 'refused';
  const passing = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];
  return codes.some((code) => passing.includes(code ?? '')) ? 'passing' : undefined;
}

/**
 * Whether the transaction's expectations held; only then it was written.
 *
 * @throws ThrottledError when conflicts or throttling outlast the tries.
 */
export async function whetherHeld(transact: () => Promise<unknown>): Promise<boolean> {
  for (let tried = 0; tried < tries; tried++) {
    try {
      await transact();
      return true;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const cancellation = cancellationOf(error);
      if (cancellation === 'refused') return false;
      if (cancellation === undefined) throw error;
      await pause(firstPauseMilliseconds * 2 ** tried * Math.random());
    }
  }
  throw new ThrottledError('the store is busy; try again');
}
