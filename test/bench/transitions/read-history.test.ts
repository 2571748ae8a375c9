import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { historyOf } from './read-history.ts';

let id = 0;
const event = (type: HistoryEvent['type'], more: Partial<HistoryEvent> = {}): HistoryEvent => ({
  ...{ id: ++id, type, timestamp: new Date(0), ...more },
});
const entered = (kind: 'Task' | 'Wait', name: string) =>
  event(`${kind}StateEntered`, { stateEnteredEventDetails: { name } });

test('names the states in the order they are entered', () => {
  const events = [
    event('ExecutionStarted'),
    entered('Task', 'Commit'),
    event('TaskScheduled'),
    event('TaskSucceeded'),
    event('TaskStateExited'),
    entered('Wait', 'RevealDelay'),
    event('WaitStateExited'),
    event('ExecutionSucceeded'),
  ];
  expect(historyOf(events)).toEqual({ entered: ['Commit', 'RevealDelay'], retries: 0, errors: [] });
});

test('counts every further try of a task, with what the one before ended with', () => {
  const events = [
    entered('Task', 'Reveal'),
    event('TaskScheduled'),
    event('TaskFailed', {
      taskFailedEventDetails: { error: 'RevealTooEarlyError' },
    } as Partial<HistoryEvent>),
    event('TaskScheduled'),
    event('TaskTimedOut'),
    event('TaskScheduled'),
    event('TaskSucceeded'),
  ];
  const { retries, errors } = historyOf(events);
  expect(retries).toBe(2);
  expect(errors).toEqual(['RevealTooEarlyError', 'States.Timeout']);
});
