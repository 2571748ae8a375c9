import { setTimeout as pause } from 'node:timers/promises';
import { GetExecutionHistoryCommand } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { stepFunctions } from '../../functions/adapters/step-functions.ts';
import { states } from './aws.ts';
import { stack } from './running-stack.ts';

const { AttestStateMachineArn: attest, LaneStateMachineArn: lane } = stack.outputs;
const executions = stepFunctions(states, { attest, lane });

test('starting twice finds the running execution, and later the closed one; its errors keep their names', async () => {
  const id = crypto.randomUUID();
  // No such attestation: Commit fails by name, is tried again, and Fail finds nothing to do.
  const input = { organizationId: crypto.randomUUID(), id, run: 1 };
  expect(await executions.startAttest(input)).toBe('running');
  expect(await executions.startAttest(input)).toBe('running');
  while ((await executions.startAttest(input)) === 'running') await pause(1000);
  expect(await executions.startAttest(input)).toBe('closed');

  const executionArn = `${attest.replace(':stateMachine:', ':execution:')}:${id}-1`;
  const { events = [] } = await states.send(
    new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }),
  );
  const errors = events.map(({ taskFailedEventDetails }) => taskFailedEventDetails?.error);
  expect(errors).toContain('AttestationMissingError');
});

test('an answer to a token that nobody waits with is no error', async () => {
  await executions.succeed('no-such-token', {});
  await executions.fail('no-such-token', 'AnyError');
});
