import { type DescribeExecutionOutput, SFNClient, type StartExecutionOutput } from '@aws-sdk/client-sfn';
import { stepFunctions } from '../../../functions/adapters/aws/step-functions.ts';
import type { Executions } from '../../../functions/domain/services.ts';
import { answerOf, type HttpAnswer, refusalAnswer } from '../aws/aws-answers.ts';
import type { AwsFaults } from '../aws/aws-faults.ts';
import { immediateRetries } from '../aws/aws-retries.ts';
import type { StateMachines } from './state-machines.ts';

/** The SDK's own default for Step Functions. */
const maxAttempts = 3;

const arnOf = (name: string): string => `arn:aws:states:us-east-1:000000000000:stateMachine:${name}`;

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

const accepted = (content: object): HttpAnswer => answerOf(200, content);

/** Fields of all commands; each command has some of them. */
interface CommandFields {
  readonly name: string;
  readonly input: string;
  readonly executionArn: string;
  readonly taskToken: string;
  readonly output: string;
  readonly error: string;
}

type Command = (machines: StateMachines, fields: CommandFields) => Promise<HttpAnswer>;

/** Runs each command of Step Functions on interpreted state machines. */
const commands: Readonly<Record<string, Command>> = {
  StartExecution: async (machines, { name, input }) => {
    const answer: Partial<StartExecutionOutput> = { executionArn: name };
    const { lane, ...key } = JSON.parse(input);
    const run = Number(name.split('-').at(-1));
    const started = lane ? machines.startLane({ lane, run }) : machines.startAttest({ ...key, run });
    return (await started) === 'running' ? accepted(answer) : refusalAnswer('ExecutionAlreadyExists');
  },
  DescribeExecution: async (machines, { executionArn }) => {
    const status = machines.describe(executionArn.split(':').at(-1) ?? '');
    const answer: Partial<DescribeExecutionOutput> = { executionArn, status };
    return status ? accepted(answer) : refusalAnswer('ExecutionDoesNotExist');
  },
  SendTaskSuccess: async (machines, { taskToken, output }) => {
    if (!hasWaitingTask(machines, taskToken)) return refusalAnswer('TaskTimedOut');
    await machines.succeed(taskToken, JSON.parse(output));
    return accepted({});
  },
  SendTaskFailure: async (machines, { taskToken, error }) => {
    if (!hasWaitingTask(machines, taskToken)) return refusalAnswer('TaskTimedOut');
    await machines.fail(taskToken, error);
    return accepted({});
  },
};

function hasWaitingTask({ executions }: StateMachines, taskToken: string): boolean {
  return [...executions.values()].some(({ task }) => task === Number(taskToken));
}

/** Connects the service's own adapter of Step Functions to state machines, with faults in its requests. */
export function connectStepFunctions(machines: StateMachines, faults: AwsFaults): Executions {
  const states = new SFNClient({
    region: 'us-east-1',
    credentials,
    retryStrategy: immediateRetries(maxAttempts),
  });
  states.config.requestHandler.handle = async ({ headers, body }) => {
    const command = commands[headers['x-amz-target']?.split('.')[1] ?? ''];
    if (!command) throw new Error(`no command ${headers['x-amz-target']}`);
    return { response: await command(machines, JSON.parse(new TextDecoder().decode(body))) };
  };
  faults.intercept(states);
  return stepFunctions(states, { attest: arnOf('attest'), lane: arnOf('lane') });
}
