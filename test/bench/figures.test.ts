import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { describe, expect, it } from 'vitest';
import { sequentialHops } from './hops/sequential-hops.ts';
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
});

describe('transitionsOf', () => {
  const event = (type: HistoryEvent['type']) => ({ type });
  const entered = (kind: 'Task' | 'Wait', name: string) =>
    ({ type: `${kind}StateEntered`, stateEnteredEventDetails: { name } }) as const;

  it('lists the states in the order of their entry, and counts the retries of a task', () => {
    const events = [
      ...[event('ExecutionStarted'), entered('Task', 'Commit'), event('TaskScheduled'), event('TaskFailed')],
      ...[event('TaskScheduled'), event('TaskSucceeded'), event('TaskStateExited')],
      ...[entered('Wait', 'RevealDelay'), event('WaitStateExited'), entered('Task', 'Reveal')],
      ...[event('TaskScheduled'), event('TaskTimedOut'), event('TaskScheduled'), event('ExecutionSucceeded')],
    ];
    expect(transitionsOf(events)).toEqual({ entered: ['Commit', 'RevealDelay', 'Reveal'], retries: 2 });
  });
});
