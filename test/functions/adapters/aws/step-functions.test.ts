import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  InvalidToken,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { describe, expect, test } from 'vitest';
import { stepFunctions } from '../../../../functions/adapters/aws/step-functions.ts';
import { alice } from '../../../fakes/world/world.ts';

const exceptionFields = { message: 'refused', $metadata: {} };
const arn = (name: string) => `arn:aws:states:eu-west-1:123456789012:stateMachine:${name}`;
const machines = { attest: `${arn('Attest')}:live`, lane: arn('Lane') };
const lane = '1-0x5d5c99EdF529335160FF180fA141Dd4967fc00D2';

/** Fakes the answers of Step Functions, where a name can be started only once. */
function fakeStates(known: Record<string, { status: string }> = {}, failure?: Error) {
  const sent: { command: string; input: object }[] = [];
  const send = async (command: { input: object }) => {
    sent.push({ command: command.constructor.name, input: command.input });
    if (command instanceof StartExecutionCommand) {
      if (known[command.input.name ?? '']) throw new ExecutionAlreadyExists(exceptionFields);
      return {};
    }
    if (command instanceof DescribeExecutionCommand) {
      return known[command.input.executionArn?.split(':').at(-1) ?? ''];
    }
    if (failure) throw failure;
    return {};
  };
  return { sent, executions: stepFunctions({ send } as unknown as SFNClient, machines) };
}

describe('starting an execution', () => {
  test('gives the execution of an attestation only ids, and names it after id and run', async () => {
    const { sent, executions } = fakeStates();
    const { organizationId } = alice;
    expect(await executions.startAttest({ organizationId, id: 'an-id', run: 2 })).toBe('running');
    expect(sent).toEqual([
      {
        command: 'StartExecutionCommand',
        input: {
          stateMachineArn: machines.attest,
          name: 'an-id-2',
          input: JSON.stringify({ organizationId, id: 'an-id' }),
        },
      },
    ]);
  });

  test('starts the execution of a lane at turn 0, under a name that Step Functions accepts', async () => {
    const { sent, executions } = fakeStates();
    await executions.startLane({ lane, run: 1 });
    expect(sent[0]?.input).toMatchObject({
      stateMachineArn: machines.lane,
      name: expect.stringMatching(/^[0-9A-Za-z_-]{1,80}$/),
      input: JSON.stringify({ lane, run: 1, turn: 0 }),
    });
  });

  test('returns `running` if an execution of that name runs', async () => {
    const { sent, executions } = fakeStates({ 'an-id-1': { status: 'RUNNING' } });
    const input = { organizationId: alice.organizationId, id: 'an-id', run: 1 };
    expect(await executions.startAttest(input)).toBe('running');
    expect(sent.at(-1)?.input).toEqual({
      executionArn: 'arn:aws:states:eu-west-1:123456789012:execution:Attest:an-id-1',
    });
  });

  test.each(['SUCCEEDED', 'FAILED', 'ABORTED', 'TIMED_OUT'])(
    'returns `closed` if an execution of that name is %s',
    async (status) => {
      const { executions } = fakeStates({ [`${lane}-1`]: { status } });
      expect(await executions.startLane({ lane, run: 1 })).toBe('closed');
    },
  );
});

describe('answering a token', () => {
  test('sends the output as JSON, or only the name of the error', async () => {
    const { sent, executions } = fakeStates();
    await executions.succeed('token', { revealAt: '2026-01-01T00:00:00.000Z' });
    await executions.fail('token', 'AlreadyAttestedError');
    expect(sent).toEqual([
      {
        command: SendTaskSuccessCommand.name,
        input: { taskToken: 'token', output: '{"revealAt":"2026-01-01T00:00:00.000Z"}' },
      },
      { command: SendTaskFailureCommand.name, input: { taskToken: 'token', error: 'AlreadyAttestedError' } },
    ]);
  });

  test.each([
    new TaskTimedOut(exceptionFields),
    new TaskDoesNotExist(exceptionFields),
    new InvalidToken(exceptionFields),
  ])('ignores that a token is stale: %s', async (stale) => {
    const { executions } = fakeStates({}, stale);
    await expect(executions.succeed('token', {})).resolves.toBeUndefined();
    await expect(executions.fail('token', 'name')).resolves.toBeUndefined();
  });

  test('throws any other failure', async () => {
    const { executions } = fakeStates({}, new Error('throttled'));
    await expect(executions.succeed('token', {})).rejects.toThrow('throttled');
  });
});
