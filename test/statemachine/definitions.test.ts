import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as errors from '../../functions/domain/errors.ts';
import { settingsSchema } from '../../functions/domain/settings.ts';
import {
  type Definition,
  delayOf,
  type Retrier,
  readDefinition,
  type State,
} from '../fakes/workflow/state-machines.ts';

function targets(state: State): string[] {
  const named = [state.Next, state.Default, ...(state.Choices ?? []).map(({ Next }) => Next)];
  return [...named, ...(state.Catch ?? []).map(({ Next }) => Next)].filter((name) => name !== undefined);
}

const absent: State = { Type: 'Succeed' };

const tasksOf = ({ States }: Definition): [string, State][] =>
  Object.entries(States).filter(([, { Type }]) => Type === 'Task');

describe.each(['attest', 'lane'])('%s', (name) => {
  const definition = readDefinition(name);
  const tasks = tasksOf(definition);

  test('reaches every state', () => {
    const reached = new Set<string>();
    const visit = (state: string): void => {
      if (reached.has(state)) return;
      reached.add(state);
      for (const target of targets(definition.States[state] ?? absent)) visit(target);
    };
    visit(definition.StartAt);
    expect([...reached].sort()).toEqual(Object.keys(definition.States).sort());
  });

  test('retries every task, catches the other errors or explains in a comment why not, and never waits forever', () => {
    expect(tasks.length).toBeGreaterThan(0);
    for (const [, { Retry, Catch, Comment, TimeoutSeconds }] of tasks) {
      expect(Retry?.at(-1)?.ErrorEquals).toEqual(['States.ALL']);
      const caught = Catch?.at(-1)?.ErrorEquals.includes('States.ALL') ?? false;
      expect(caught || /no Catch/.test(Comment ?? '')).toBe(true);
      expect(TimeoutSeconds).toBeDefined();
    }
  });

  test('matches only error names of the service or AWS', () => {
    const named = tasks
      .flatMap(([, { Retry = [], Catch = [] }]) => [...Retry, ...Catch])
      .flatMap((e) => e.ErrorEquals);
    const ours = named.filter((error) => !error.includes('.'));
    expect(ours.filter((error) => !(error in errors))).toEqual([]);
    for (const foreign of named.filter((error) => error.includes('.')))
      expect(foreign).toMatch(/^(?:States|Lambda|Sandbox|Runtime)\.\w+$/);
  });

  test('uses no intrinsic function, whose errors differ between AWS and the emulators', () => {
    expect(JSON.stringify(definition)).not.toMatch(/States\.\w+\(/);
  });

  test('calls the function named after each task', () => {
    for (const [state, { Parameters }] of tasks) {
      expect(Parameters?.FunctionName).toBe(`\${${state}Function}`);
      const file = state.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase();
      expect(existsSync(`functions/workflow/${file}.ts`)).toBe(true);
    }
  });

  test('passes on ids, counters and names, never content or causes', () => {
    const ids = ['organizationId', 'id', 'taskToken', 'executionName', 'lane'];
    const allowed = [...ids, 'error', 'run', 'turn', 'definition'];
    const passed = tasks.flatMap(([, { Parameters }]) => Object.entries(Parameters?.Payload ?? {}));
    for (const [field, path] of passed) {
      expect(allowed).toContain(field.replace(/\.\$$/, ''));
      expect(path).not.toMatch(/Cause|content|metadata|salt/i);
    }
  });
});

const attest = readDefinition('attest');
const { States } = attest;
const state = (name: string): State => States[name] ?? absent;

const handlingOf = <Handling extends Pick<Retrier, 'ErrorEquals'>>(
  handlings: readonly Handling[] | undefined,
  error: string,
): Handling | undefined =>
  handlings?.find(({ ErrorEquals }) => ErrorEquals.includes(error) || ErrorEquals.includes('States.ALL'));

test.each(['Commit', 'Reveal'])('%s waits for a token, and checks again when it times out', (name) => {
  expect(state(name).Resource).toBe('arn:aws:states:::lambda:invoke.waitForTaskToken');
  expect(state(name).Parameters?.Payload['taskToken.$']).toBe('$$.Task.Token');
  expect(state(name).TimeoutSeconds).toBe(`\${TaskTimeoutSeconds}`);
  expect(handlingOf(state(name).Retry, 'States.Timeout')?.MaxAttempts).toBe(500);
  expect(handlingOf(state(name).Catch, 'States.Timeout')?.Next).toBe(name);
});

test.each([
  ['Commit', 'AlreadyAttestedError', 'Confirm'],
  ['Reveal', 'AlreadyAttestedError', 'Confirm'],
  ['Commit', 'AttestationFailedError', 'Fail'],
  ['Reveal', 'AttestationFailedError', 'Fail'],
  ['Confirm', 'AttestationFailedError', 'Fail'],
])('%s catches %s without a retry and continues with %s', (name, error, next) => {
  expect(handlingOf(state(name).Retry, error)?.MaxAttempts).toBe(0);
  expect(handlingOf(state(name).Catch, error)?.Next).toBe(next);
});

test('attest waits between commit and reveal until the time in the commit’s answer', () => {
  expect(state('Commit').Next).toBe('RevealDelay');
  expect(state('RevealDelay')).toMatchObject({
    Type: 'Wait',
    TimestampPath: '$.commit.revealAt',
    Next: 'Reveal',
  });
  expect(state('Reveal').Next).toBe('Confirm');
});

test.each([
  ['a reorg undid the commit, whose delay then never ends', 'Reveal', 'RevealTooEarlyError'],
  ['an operation may still be mined', 'Fail', 'OperationBoundError'],
])('attest returns to Commit when %s', (_, name, error) => {
  expect(handlingOf(state(name).Catch, error)?.Next).toBe('Commit');
});

// test/service/executions.test.ts shows this on the emulator.
test('attest takes the same path on the emulator, where a function that throws loses its error’s name', () => {
  for (const handling of [
    handlingOf(state('Confirm').Retry, 'NotYetFinalError'),
    handlingOf(state('Fail').Catch, 'OperationBoundError'),
  ])
    expect(handling?.ErrorEquals).toContain('Runtime.HandlerError');
});

const { taskTimeoutSeconds } = settingsSchema.parse({
  chains: [{ chainId: 1, name: 'One', registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' }],
});

/** Temporary errors. They include neither unexpected errors (`States.ALL`) nor those caught without a retry. */
const temporaryErrors = [
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

/** The temporary errors that each state can meet. */
const possibleErrors: Readonly<Record<string, readonly string[]>> = {
  Commit: temporaryErrors.filter((error) => error !== 'RevealTooEarlyError'),
  Reveal: temporaryErrors.filter((error) => error !== 'NotYetFinalError'),
  Confirm: temporaryErrors.filter((error) => error !== 'RevealTooEarlyError'),
  // It sends no request to a chain.
  Fail: temporaryErrors.filter((error) => !/^(?:Chain|NotYet|Reveal)/.test(error)),
};

/** Computes the mean wait of a retrier before its state fails. FULL jitter halves the mean of each delay. */
function meanWaitSeconds(retrier: Retrier): number {
  const { MaxAttempts = 3, JitterStrategy } = retrier;
  const delays = Array.from({ length: MaxAttempts }, (_, tried) => delayOf(retrier, tried));
  return delays.reduce((sum, delay) => sum + delay, 0) * (JitterStrategy === 'FULL' ? 0.5 : 1);
}

/** Computes how long an error may last. Each timeout adds its own wait. */
function meanSeconds({ TimeoutSeconds }: State, retrier: Retrier, error: string): number {
  const timeoutSeconds = typeof TimeoutSeconds === 'number' ? TimeoutSeconds : taskTimeoutSeconds;
  const timedOut = error === 'States.Timeout' ? (retrier.MaxAttempts ?? 3) * timeoutSeconds : 0;
  return meanWaitSeconds(retrier) + timedOut;
}

describe.each(tasksOf(attest))('%s', (name, state) => {
  test.each(possibleErrors[name] ?? [])('retries %s for about a day on average', (error) => {
    const retrier = handlingOf(state.Retry, error);
    expect(retrier?.ErrorEquals).toContain(error);
    const hours = meanSeconds(state, retrier ?? { ErrorEquals: [] }, error) / 3600;
    expect(hours).toBeGreaterThan(20);
    expect(hours).toBeLessThan(48);
  });

  test('fails soon on an unexpected error', () => {
    const retrier = handlingOf(state.Retry, 'TypeError') ?? { ErrorEquals: [] };
    expect(retrier.ErrorEquals).toEqual(['States.ALL']);
    expect(meanWaitSeconds(retrier)).toBeLessThan(600);
  });
});

test('attest checks for finality at least every minute', () => {
  expect(handlingOf(state('Confirm').Retry, 'NotYetFinalError')?.MaxDelaySeconds).toBe(60);
});

test('attest retries a slightly early reveal after 3 s, then after delays that grow by a tenth', () => {
  const retrier = handlingOf(state('Reveal').Retry, 'RevealTooEarlyError');
  expect(retrier).toMatchObject({ IntervalSeconds: 3, BackoffRate: 1.1 });
});

test('attest stays within the 25,000 events of an execution even with every retry of one path', () => {
  // An attempt is scheduled, started and failed. With a task token, it is also submitted.
  const eventsOf = ({ Resource = '', Retry = [] }: State): number => {
    const attempts = Retry.reduce((sum, { MaxAttempts = 3 }) => sum + MaxAttempts, 1);
    return attempts * (Resource.endsWith('.waitForTaskToken') ? 4 : 3);
  };
  // Each state is also entered and exited, and the execution starts and ends.
  const events = Object.values(States).reduce((sum, state) => sum + eventsOf(state) + 2, 3);
  expect(events).toBeLessThan(25_000);
});
