import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { expect, test } from 'vitest';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { endpoint } from '../stack/aws.ts';
import { killWorkers } from '../stack/kill-workers.ts';
import { newPublisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';

const lambda = new LambdaClient({ ...clientOptions(endpoint), maxAttempts: 1 });

test('more invocations than may run at once wait for their turn', async () => {
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  const name = Functions.find(({ FunctionName }) => /ListChains/.test(FunctionName ?? ''))?.FunctionName;
  const Payload = JSON.stringify({ httpMethod: 'GET', path: '/v1/chains', headers: {} });
  const invoke = () => lambda.send(new InvokeCommand({ FunctionName: name, Payload }));
  const answers = await Promise.all(Array.from({ length: 40 }, invoke));
  expect(answers.map(({ StatusCode }) => StatusCode)).toEqual(Array(40).fill(200));
});

test('the API answers after its idle function processes died', async () => {
  const { api } = await newPublisher();
  expect((await api.list()).status).toBe(200);
  expect(await killWorkers(stack.directory)).toBeGreaterThan(0);
  expect((await api.list()).status).toBe(200);
});
