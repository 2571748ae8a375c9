import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import {
  DynamoDBClient,
  GetItemCommand,
  ProvisionedThroughputExceededException,
  PutItemCommand,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { retryName } from '../../functions/adapters/aws/client.ts';
import { composeRecords } from '../../functions/adapters/compose-records.ts';
import { ThrottledError } from '../../functions/domain/errors.ts';
import { type AwsFaultKind, AwsFaults } from '../fakes/aws/aws-faults.ts';
import { promptRetries } from '../fakes/aws/aws-retries.ts';
import { Processes, ProcessKilledError } from '../fakes/ports/processes.ts';

/** What reached AWS, which here answers everything with nothing. */
const reached: string[] = [];

const server = createServer((request, response) => {
  reached.push(String(request.headers['x-amz-target']).split('.')[1] ?? '');
  request.resume().on('end', () => response.end('{}'));
});

const maxAttempts = 3;

let processes: Processes;
let faults: AwsFaults;
let options: ConstructorParameters<typeof DynamoDBClient>[0] & object;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const endpoint = `http://127.0.0.1:${port}`;
  options = { endpoint, region: 'us-east-1', credentials, retryStrategy: promptRetries(maxAttempts) };
});

beforeEach(() => {
  reached.length = 0;
  processes = new Processes();
  faults = new AwsFaults(processes);
});

afterAll(() => server.close());

function dynamo(): DynamoDBClient {
  const client = new DynamoDBClient(options);
  faults.watch(client);
  return client;
}

const get = () => new GetItemCommand({ TableName: 'table', Key: { pk: { S: 'a' } } });
const put = () => new PutItemCommand({ TableName: 'table', Item: { pk: { S: 'a' } } });
const always = Number.POSITIVE_INFINITY;

test('throttling that passes is retried by the SDK and never seen', async () => {
  faults.inject({ kind: 'throttled', times: maxAttempts - 1 });
  await dynamo().send(get());
  expect(faults.calls).toEqual(['GetItem', 'GetItem', 'GetItem']);
  expect(reached).toEqual(['GetItem']);
});

test('throttling that lasts is the SDK’s own error', async () => {
  faults.inject({ kind: 'throttled', times: always });
  await expect(dynamo().send(get())).rejects.toThrow(ProvisionedThroughputExceededException);
  expect(reached).toEqual([]);
});

test.each([
  [
    'KMS',
    () => new KMSClient(options),
    (client: KMSClient) => client.send(new GetPublicKeyCommand({ KeyId: 'k' })),
  ],
  [
    'Step Functions',
    () => new SFNClient(options),
    (client: SFNClient) => client.send(new StartExecutionCommand({ stateMachineArn: 'arn' })),
  ],
  [
    'SSM',
    () => new SSMClient(options),
    (client: SSMClient) => client.send(new GetParameterCommand({ Name: 'n' })),
  ],
])('%s can be throttled, which a state machine is told as load', async (_, connect, ask) => {
  const client = connect();
  faults.watch(client);
  faults.inject({ kind: 'throttled', times: always });
  const error: unknown = await ask(client as never).catch((thrown: unknown) => thrown);
  expect(retryName(error)).toBe(ThrottledError.name);
  expect(faults.calls).toHaveLength(maxAttempts);
});

test('a request that is refused has no effect, one whose answer is lost has', async () => {
  faults.inject({ kind: 'refused', times: always });
  await expect(dynamo().send(put())).rejects.toThrow('ECONNREFUSED');
  expect(reached).toEqual([]);
  faults.clear();
  faults.inject({ kind: 'answer lost', times: always });
  await expect(dynamo().send(put())).rejects.toThrow('injected');
  expect(reached).toHaveLength(maxAttempts);
});

test('a conflict of a write is not retried by the SDK, and by the store until it passes', async () => {
  const records = composeRecords({ LANES_TABLE: 'table' }, dynamo());
  const key = { table: 'lanes', pk: 'a', sk: 'b' } as const;
  faults.inject({ kind: 'conflict', command: 'PutItem' });
  await expect(dynamo().send(put())).rejects.toThrow(TransactionConflictException);
  faults.inject({ kind: 'conflict', command: 'TransactWriteItems', times: 2 });
  expect(
    await records.transact([
      { key, put: {} },
      { key: { ...key, sk: 'c' }, put: {} },
    ]),
  ).toBe(true);
  expect(reached).toEqual(['TransactWriteItems']);
});

test('a fault befalls the nth request of its command, and so many in a row', async () => {
  faults.inject({ kind: 'answer lost', command: 'PutItem', nth: 2, times: 2 });
  const client = dynamo();
  await client.send(put());
  await client.send(get());
  await client.send(put());
  await client.send(put());
  expect(faults.calls.filter((call) => call === 'PutItem')).toHaveLength(5);
});

test('a slow request has its effect and its answer', async () => {
  faults.inject({ kind: 'slow' });
  await dynamo().send(get());
  expect(reached).toEqual(['GetItem']);
});

test.each<[AwsFaultKind, string[]]>([
  ['killed before', []],
  ['killed after', ['PutItem']],
])('a process %s a request does nothing more, and the next one is whole', async (kind, effects) => {
  faults.inject({ kind });
  const client = dynamo();
  const dying = processes.run(async () => {
    await Promise.allSettled([client.send(put())]);
    await client.send(get());
  });
  await expect(dying).rejects.toThrow(ProcessKilledError);
  expect(reached).toEqual(effects);
  await processes.run(() => client.send(get()));
  expect(reached).toEqual([...effects, 'GetItem']);
});

test('what a killed process had under way beside it has no effect either, on any port', async () => {
  faults.inject({ kind: 'killed before' });
  const client = dynamo();
  const beside = Promise.withResolvers<void>();
  let sent = false;
  const send = async () => {
    await beside.promise;
    client.send(get()).catch(() => {});
    await processes.guard('chain.send', async () => {
      sent = true;
    });
  };
  const dying = processes.run(() => Promise.all([client.send(put()), send()]));
  await expect(dying).rejects.toThrow(ProcessKilledError);
  beside.resolve();
  await setImmediate();
  expect([sent, reached]).toEqual([false, []]);
});
