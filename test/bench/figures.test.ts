import type { HistoryEvent } from '@aws-sdk/client-sfn';
import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { hopByHop, sequentialHops } from './hops/sequential-hops.ts';
import { paceOf } from './lanes/lane-pace.ts';
import { transitionsOf } from './transitions.ts';

describe('sequentialHops', () => {
  const interval = (startedAtMs: number, endedAtMs: number) => ({ startedAtMs, endedAtMs });
  const [long, short, next, last] = [interval(0, 50), interval(1, 20), interval(21, 45), interval(50, 60)];

  it.each([
    ['nothing', [], 0],
    ['one after another', [interval(0, 10), interval(10, 20), interval(21, 30)], 3],
    ['overlapping ones', [interval(0, 10), interval(1, 9), interval(2, 12)], 1],
    ['two short ones beside a long one', [last, long, short, next], 3],
  ])('counts %s', (_, intervals, hops) => {
    expect(sequentialHops(intervals)).toBe(hops);
  });

  it('shows each request after the last that it may have waited for, though a slow one runs beside it', () => {
    expect(hopByHop([next, long, short])).toEqual([[long, short], [next]]);
  });
});

describe('paceOf', () => {
  const commit = (saltedHash: Hex) => ({ kind: 'commit', saltedHash, succeeded: true }) as const;
  const reveal = (saltedHash: Hex) =>
    ({ ...commit(saltedHash), kind: 'reveal', digest: '0x2', authorityAddress: '0x3' }) as const;

  it('counts the commit of a batch as its reveals, and blocks that have nothing of the lane', () => {
    const transactions = [
      { minedAt: 100, calls: [commit('0xa'), commit('0xb')] },
      { minedAt: 104, calls: [reveal('0xa'), reveal('0xa'), reveal('0xb')] },
    ];
    const pace = { blocks: 3, transactionsPerBlock: 2 / 3, operationsPerBlock: 2 };
    expect(paceOf(transactions, 2)).toEqual(pace);
  });

  it('leaves out a tenth of the blocks at either end', () => {
    const ends = [1, 1, 1, 20, 20];
    const inner = Array.from({ length: 18 }, (_, position) => position + 2);
    const transactions = [...ends, ...inner].map((minedAt) => ({ minedAt, calls: [reveal('0xa')] }));
    expect(paceOf(transactions, 1)).toEqual({ blocks: 20, transactionsPerBlock: 1, operationsPerBlock: 1 });
  });
});

describe('transitionsOf', () => {
  const event = (type: HistoryEvent['type']) => ({ type });
  const entered = (kind: 'Task' | 'Wait', name: string) =>
    ({ type: `${kind}StateEntered`, stateEnteredEventDetails: { name } }) as const;

  it('names the states in the order they are entered, and counts every further try of a task', () => {
    const events = [
      ...[event('ExecutionStarted'), entered('Task', 'Commit'), event('TaskScheduled'), event('TaskFailed')],
      ...[event('TaskScheduled'), event('TaskSucceeded'), event('TaskStateExited')],
      ...[entered('Wait', 'RevealDelay'), event('WaitStateExited'), entered('Task', 'Reveal')],
      ...[event('TaskScheduled'), event('TaskTimedOut'), event('TaskScheduled'), event('ExecutionSucceeded')],
    ];
    expect(transitionsOf(events)).toEqual({ entered: ['Commit', 'RevealDelay', 'Reveal'], retries: 2 });
  });
});
