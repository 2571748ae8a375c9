import { describe, expect, test } from 'vitest';
import { AlreadyAttestedError, NotYetFinalError } from '../../../functions/domain/errors.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { attestationKeySchema, runPlainStep, runTokenStep } from '../../../functions/workflow/step.ts';
import { makeWorld } from '../../fakes/world/world.ts';

const event = {
  organizationId: '01a1fc11-239f-7180-901e-c37cfa99b6d0',
  id: '01a1fc11-239f-7180-901e-c37cfa99b6d1',
  taskToken: 'token',
};

type Step = () => Promise<never>;

const failingStep =
  (error: Error): Step =>
  async () => {
    throw error;
  };

const serverError = () => Object.assign(new Error('content of the request'), { $fault: 'server' });

const kinds: readonly { kind: string; run: (services: Services, step: Step) => Promise<unknown> }[] = [
  {
    kind: 'a state without a task token',
    run: (services, step) => runPlainStep(services, attestationKeySchema, step, event),
  },
  { kind: 'a state with a task token', run: (services, step) => runTokenStep(services, step, event) },
];

describe.each(kinds)('the log of $kind', ({ run }) => {
  test('contains the cause of an unexpected error', async () => {
    const { services, log } = makeWorld();
    const error = new TypeError('unexpected');
    await run(services, failingStep(error)).catch(() => {});
    expect(log.lines).toEqual([{ level: 'error', message: 'step failed', error }]);
  });

  test('contains no error line for an error that the state machine handles', async () => {
    const { services, log } = makeWorld();
    await run(services, failingStep(new NotYetFinalError('later'))).catch(() => {});
    expect(log.lines).toMatchObject([{ level: 'info', message: 'step ended', fields: { reason: 'later' } }]);
  });
});

test.each([
  [
    'with only the name of the error',
    new AlreadyAttestedError('not for the history'),
    'AlreadyAttestedError',
  ],
  ['with a transient error, whatever AWS calls the error', serverError(), 'ThrottledError'],
])('a failing step answers its token %s', async (_, error, reported) => {
  const { services, executions } = makeWorld();
  await runTokenStep(services, failingStep(error), event);
  expect(executions.answersTo('token')).toEqual([{ token: 'token', error: reported }]);
});

test('a function whose answer to the token fails throws an error that is retried, and logs both causes', async () => {
  const { services, executions, log } = makeWorld();
  const [cause, unreported] = [new Error('secret'), serverError()];
  executions.answerFailure = unreported;
  const failed = await runTokenStep(services, failingStep(cause), event).catch((error) => error);
  expect(failed.name).toBe('ThrottledError');
  expect(String(failed.stack)).not.toMatch(/secret|content of the request/);
  expect(log.lines.map(({ message, error }) => [message, error])).toEqual([
    ['step failed', cause],
    ['task failure not sent', unreported],
  ]);
});

test('an event without a token is rejected', async () => {
  const { taskToken: _, ...rest } = event;
  const run = runTokenStep(makeWorld().services, failingStep(new Error('never run')), rest);
  await expect(run).rejects.toThrow('taskToken');
});
