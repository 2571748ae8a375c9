import { describe, expect, test } from 'vitest';
import { NotYetFinalError } from '../../../functions/domain/errors.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { runPlainStep } from '../../../functions/workflow/step/plain-step.ts';
import { runTokenStep } from '../../../functions/workflow/step/token-step.ts';
import { makeWorld } from '../../fakes/world/world.ts';

const event = {
  organizationId: '01a1fc11-239f-7180-901e-c37cfa99b6d0',
  id: '01a1fc11-239f-7180-901e-c37cfa99b6d1',
  taskToken: 'token',
};

type Runs = (services: Services, step: () => Promise<never>) => Promise<unknown>;

const kinds: readonly { readonly kind: string; readonly run: Runs }[] = [
  { kind: 'its own answer', run: runPlainStep },
  { kind: 'a task token', run: (services, step) => runTokenStep(services, step, event) },
];

/** Lines of the log of a step that fails. */
async function linesOf(run: Runs, error: Error) {
  const { services, log } = makeWorld();
  const step = async () => {
    throw error;
  };
  await run(services, step).catch(() => {});
  return log.lines;
}

describe.each(kinds)('the log of a state that waits with $kind', ({ run }) => {
  test('has the cause of an error that nobody foresaw', async () => {
    const error = new TypeError('of a kind that nobody thought of');
    expect(await linesOf(run, error)).toEqual([{ level: 'error', message: 'step failed', error }]);
  });

  test('has no alarm for an error that routes the execution', async () => {
    const lines = await linesOf(run, new NotYetFinalError('later'));
    expect(lines).toMatchObject([{ level: 'info', message: 'step ended', fields: { reason: 'later' } }]);
  });
});

test('the log of an answer that cannot be told has the cause of both', async () => {
  const { services, executions, log } = makeWorld();
  const [cause, untold] = [new TypeError('of the step'), new TypeError('of the answer')];
  executions.answerFailure = untold;
  const failing = async () => {
    throw cause;
  };
  await runTokenStep(services, failing, event).catch(() => {});
  expect(log.lines.map(({ message, error }) => [message, error])).toEqual([
    ['step failed', cause],
    ['failure not told', untold],
  ]);
});
