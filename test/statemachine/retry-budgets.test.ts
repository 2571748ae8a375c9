import { describe, expect, test } from 'vitest';
import { settingsSchema } from '../../functions/domain/settings.ts';
import { type Handling, readDefinition, type State } from './definition.ts';

const { States } = readDefinition('attest');
const tasks = Object.entries(States).filter(([, { Type }]) => Type === 'Task');

const { taskTimeoutSeconds } = settingsSchema.parse({
  chains: [{ chainId: 1, name: 'One', registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' }],
});

/** What ends by itself. Not here: an error of our own, `States.ALL`, which nobody foresaw, and what routes at once. */
const passing = [
  'ChainUnreachableError',
  'NotYetFinalError',
  'RevealTooEarlyError',
  'States.Timeout',
  'ThrottledError',
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.Unknown',
  'Sandbox.Timedout',
  'Runtime.ExitError',
];

/** The errors that pass by themselves which a state can meet. */
const meets: Readonly<Record<string, readonly string[]>> = {
  Commit: passing.filter((error) => error !== 'RevealTooEarlyError'),
  Reveal: passing.filter((error) => error !== 'NotYetFinalError'),
  Confirm: passing.filter((error) => error !== 'RevealTooEarlyError'),
  // It never talks to a chain.
  Fail: passing.filter((error) => !/^(?:Chain|NotYet|Reveal)/.test(error)),
};

const retrierOf = ({ Retry = [] }: State, error: string): Handling | undefined =>
  Retry.find(({ ErrorEquals }) => ErrorEquals.includes(error) || ErrorEquals.includes('States.ALL'));

/** What a retrier waits in the mean before its state gives up: FULL jitter takes half of each delay. */
function meanWaitSeconds(retrier: Handling): number {
  const {
    MaxAttempts = 3,
    IntervalSeconds = 1,
    BackoffRate = 2,
    MaxDelaySeconds = 1e9,
    JitterStrategy,
  } = retrier;
  const delays = Array.from({ length: MaxAttempts }, (_, tried) =>
    Math.min(IntervalSeconds * BackoffRate ** tried, MaxDelaySeconds),
  );
  return delays.reduce((sum, delay) => sum + delay, 0) * (JitterStrategy === 'FULL' ? 0.5 : 1);
}

/** How long an error may last. A time-out has itself been waited for, each time. */
function meanSeconds({ TimeoutSeconds }: State, retrier: Handling, error: string): number {
  const timeoutSeconds = typeof TimeoutSeconds === 'number' ? TimeoutSeconds : taskTimeoutSeconds;
  const timedOut = error === 'States.Timeout' ? (retrier.MaxAttempts ?? 3) * timeoutSeconds : 0;
  return meanWaitSeconds(retrier) + timedOut;
}

describe.each(tasks)('%s', (name, state) => {
  test.each(meets[name] ?? [])('outlasts %s for about a day, in the mean', (error) => {
    const retrier = retrierOf(state, error);
    expect(retrier?.ErrorEquals).toContain(error);
    const hours = meanSeconds(state, retrier ?? { ErrorEquals: [] }, error) / 3600;
    expect(hours).toBeGreaterThan(20);
    expect(hours).toBeLessThan(48);
  });

  test('gives up soon on an error that nobody foresaw', () => {
    const retrier = retrierOf(state, 'TypeError') ?? { ErrorEquals: [] };
    expect(retrier.ErrorEquals).toEqual(['States.ALL']);
    expect(meanWaitSeconds(retrier)).toBeLessThan(600);
  });
});

// Of the other two, Confirm is the state that waits for finality, and a token is waited for longer than a function.
const alike = passing.filter((error) => !['NotYetFinalError', 'States.Timeout'].includes(error));

test.each(alike)('retries %s alike in every state that meets it', (error) => {
  const [first, ...others] = tasks
    .filter(([name]) => meets[name]?.includes(error))
    .map(([, state]) => ({ ...retrierOf(state, error), ErrorEquals: [error] }));
  for (const other of others) expect(other).toEqual(first);
});

test('looks for finality every minute at least', () => {
  expect(retrierOf(States.Confirm ?? { Type: 'Absent' }, 'NotYetFinalError')?.MaxDelaySeconds).toBe(60);
});

test('tries a reveal again soon after it was too early by little, and no later than a tenth of what it waited', () => {
  const retrier = retrierOf(States.Reveal ?? { Type: 'Absent' }, 'RevealTooEarlyError');
  expect(retrier).toMatchObject({ IntervalSeconds: 3, BackoffRate: 1.1 });
});

test('fits the 25,000 events of an execution even when every retry of one way through is used', () => {
  // Scheduled, started, failed; and submitted, where a token is waited for.
  const eventsOf = ({ Resource = '', Retry = [] }: State): number => {
    const attempts = Retry.reduce((sum, { MaxAttempts = 3 }) => sum + MaxAttempts, 1);
    return attempts * (Resource.endsWith('.waitForTaskToken') ? 4 : 3);
  };
  // Each state is also entered and left, and the execution begins and ends.
  const events = Object.values(States).reduce((sum, state) => sum + eventsOf(state) + 2, 3);
  expect(events).toBeLessThan(25_000);
});
