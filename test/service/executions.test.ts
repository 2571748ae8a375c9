import { setTimeout as pause } from 'node:timers/promises';
import { GetExecutionHistoryCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { stepFunctions } from '../../functions/adapters/aws/step-functions.ts';
import { states } from './stack/aws.ts';
import { stack } from './stack/running-stack.ts';

const { AttestStateMachineArn: attest, LaneStateMachineArn: lane } = stack.outputs;
const executions = stepFunctions(states, { attest, lane });

test('`startAttest` finds the running or closed execution of the same name', async () => {
  const id = crypto.randomUUID();
  // The attestation does not exist: Commit fails and is retried, and Fail finds nothing to do.
  const input = { organizationId: crypto.randomUUID(), id, run: 1 };
  expect(await executions.startAttest(input)).toBe('running');
  expect(await executions.startAttest(input)).toBe('running');
  while ((await executions.startAttest(input)) === 'running') await pause(1000);
  expect(await executions.startAttest(input)).toBe('closed');

  expect(await failuresOf(executionArn(attest, `${id}-1`))).toContain('AttestationMissingError');
});

function executionArn(machineArn: string, name: string): string {
  return `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
}

async function failuresOf(arn: string): Promise<string[]> {
  const history = new GetExecutionHistoryCommand({ executionArn: arn, maxResults: 1000 });
  const { events = [] } = await states.send(history);
  return events.flatMap(({ taskFailedEventDetails }) => taskFailedEventDetails?.error ?? []);
}

// This tests MiniStack. If the test fails, remove `Runtime.HandlerError` from the state machines.
test('the emulator reports every error of a function as Runtime.HandlerError', async () => {
  // The service does not serve this chain, so each tick of the lane throws.
  const name = `424242-${stack.signerAddress}`;
  await executions.startLane({ lane: name, run: 1 });
  const arn = executionArn(lane, `${name}-1`);
  let failures: string[] = [];
  while (failures.length === 0) {
    await pause(500);
    failures = await failuresOf(arn);
  }
  await states.send(new StopExecutionCommand({ executionArn: arn }));
  expect(failures[0]).toBe('Runtime.HandlerError');
});

test('an answer to an unknown task token is not an error', async () => {
  await executions.succeed('no-such-token', {});
  await executions.fail('no-such-token', 'AnyError');
});
