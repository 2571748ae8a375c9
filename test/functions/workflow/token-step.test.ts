import { expect, test } from 'vitest';
import { AlreadyAttestedError, type ExpectedError } from '../../../functions/domain/errors.ts';
import { runTokenStep } from '../../../functions/workflow/step/token-step.ts';
import { makeWorld } from '../../fakes/world/world.ts';

const event = {
  organizationId: '01a1fc11-239f-7180-901e-c37cfa99b6d0',
  id: '01a1fc11-239f-7180-901e-c37cfa99b6d1',
  taskToken: 'token',
};

const failing = (error: Error) => async () => {
  throw error;
};

/** What the SDK throws when AWS itself failed. */
const serverError = () => Object.assign(new Error('content of the request'), { $fault: 'server' });

async function toldOf(error: Error | ExpectedError) {
  const { services, executions } = makeWorld();
  await runTokenStep(services, failing(error), event);
  return executions.answersTo('token');
}

test('a failing step answers its token itself, with the name of the error and nothing else', async () => {
  expect(await toldOf(new AlreadyAttestedError('not for the history'))).toEqual([
    { token: 'token', error: 'AlreadyAttestedError' },
  ]);
});

test('an error that passes by itself is told as one, whatever AWS calls it', async () => {
  expect(await toldOf(serverError())).toEqual([{ token: 'token', error: 'ThrottledError' }]);
});

test('where the answer is refused too, the function fails by a name that is retried, and quotes nothing', async () => {
  const { services, executions } = makeWorld();
  executions.answerFailure = serverError();
  const failed = await runTokenStep(services, failing(new Error('secret')), event).catch((error) => error);
  expect(failed.name).toBe('ThrottledError');
  expect(String(failed.stack)).not.toMatch(/secret|content of the request/);
});

test('an event without a token is no step', async () => {
  const { services } = makeWorld();
  const { taskToken: _, ...rest } = event;
  await expect(runTokenStep(services, failing(new Error('never run')), rest)).rejects.toThrow('taskToken');
});
