import { type DescribeExecutionOutput, SFNClient, type StartExecutionOutput } from '@aws-sdk/client-sfn';
import { stepFunctions } from '../../../functions/adapters/aws/step-functions.ts';
import type { Executions } from '../../../functions/domain/services.ts';
import { answerOf, type HttpAnswer, refusal } from '../aws/aws-answers.ts';
import type { AwsFaults } from '../aws/aws-faults.ts';
import { promptRetries } from '../aws/aws-retries.ts';
import type { StateMachines } from './state-machines.ts';

/** The SDK's own default for Step Functions. */
const maxAttempts = 3;

const arnOf = (name: string): string => `arn:aws:states:us-east-1:000000000000:stateMachine:${name}`;

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

const accepted = (content: object): HttpAnswer => answerOf(200, content);

/** Fields of all commands; each command has some of them. */
interface CommandFields {
  readonly name: string;
  /** JSON. */
  readonly input: string;
  readonly executionArn: string;
  readonly taskToken: string;
  /** JSON. */
  readonly output: string;
  readonly error: string;
}

type Command = (machines: StateMachines, asked: CommandFields) => Promise<HttpAnswer>;

/** Step Functions' effect of each command, with interpreted state machines behind it. */
const commands: Readonly<Record<string, Command>> = {
  StartExecution: async (machines, { name, input }) => {
    const answer: Partial<StartExecutionOutput> = { executionArn: name };
    const { lane, ...key } = JSON.parse(input);
    const run = Number(name.split('-').at(-1));
    const started = lane ? machines.startLane({ lane, run }) : machines.startAttest({ ...key, run });
    return (await started) === 'running' ? accepted(answer) : refusal('ExecutionAlreadyExists');
  },
  DescribeExecution: async (machines, { executionArn }) => {
    const status = machines.describe(executionArn.split(':').at(-1) ?? '');
    const answer: Partial<DescribeExecutionOutput> = { executionArn, status };
    return status ? accepted(answer) : refusal('ExecutionDoesNotExist');
  },
  SendTaskSuccess: async (machines, { taskToken, output }) => {
    if (!isWaited(machines, taskToken)) return refusal('TaskTimedOut');
    await machines.succeed(taskToken, JSON.parse(output));
    return accepted({});
  },
  SendTaskFailure: async (machines, { taskToken, error }) => {
    if (!isWaited(machines, taskToken)) return refusal('TaskTimedOut');
    await machines.fail(taskToken, error);
    return accepted({});
  },
};

function isWaited({ executions }: StateMachines, taskToken: string): boolean {
  return [...executions.values()].some(({ task }) => task === Number(taskToken));
}

/** The service's own adapter of Step Functions, with faults in its requests and state machines behind it. */
export function throughStepFunctions(machines: StateMachines, faults: AwsFaults): Executions {
  const states = new SFNClient({
    region: 'us-east-1',
    credentials,
    retryStrategy: promptRetries(maxAttempts),
  });
  states.config.requestHandler.handle = async ({ headers, body }) => {
    const command = commands[headers['x-amz-target']?.split('.')[1] ?? ''];
    if (!command) throw new Error(`no command ${headers['x-amz-target']}`);
    return { response: await command(machines, JSON.parse(new TextDecoder().decode(body))) };
  };
  faults.watch(states);
  return stepFunctions(states, { attest: arnOf('attest'), lane: arnOf('lane') });
}
