import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { awsTimeouts, retryName } from '../../../../functions/adapters/aws/client.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';

const errorNamed = (name: string, fields: object = {}) => Object.assign(new Error(name), { name, ...fields });

test.each([
  errorNamed('ThrottlingException'),
  errorNamed('ProvisionedThroughputExceededException'),
  errorNamed('InternalServerError', { $fault: 'server' }),
  errorNamed('Error', { code: 'ECONNRESET' }),
])('`retryName` reports a transient error as load: %s', (error) => {
  expect(retryName(error)).toBe('ThrottledError');
});

test('`retryName` keeps the name of any other error', () => {
  expect(retryName(new ChainUnreachableError(1))).toBe('ChainUnreachableError');
  expect(retryName(errorNamed('AccessDeniedException', { $fault: 'client' }))).toBe('AccessDeniedException');
  expect(retryName('a text')).toBe('Error');
});

let requests = 0;

/** Makes a server that never answers its first `ignored` requests. */
function serverIgnoring(ignored: number) {
  requests = 0;
  return createServer((_, response) => {
    if (++requests > ignored) response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}');
  });
}

let server = serverIgnoring(0);

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** Sends a request with a fraction of the functions' request timeout. The server ignores its first attempts. */
async function requestIgnored(ignored: number, fraction: number): Promise<unknown> {
  server = serverIgnoring(ignored);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { requestTimeout, ...others } = awsTimeouts.requestHandler;
  const client = new DynamoDBClient({
    requestHandler: { ...others, requestTimeout: requestTimeout * fraction },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  return client.send(new GetItemCommand({ TableName: 'any', Key: { id: { S: 'any' } } }));
}

test('the client retries when no answer comes', async () => {
  await requestIgnored(1, 1 / 4);
  expect(requests).toBeGreaterThan(1);
});

test('the client gives up within the time of a route, with a transient error', async () => {
  const error = await requestIgnored(Number.POSITIVE_INFINITY, 1 / 100).catch((thrown: unknown) => thrown);
  expect([(error as Error).name, retryName(error)]).toEqual(['TimeoutError', 'ThrottledError']);
  expect(requests).toBeGreaterThan(1);
  expect(requests * awsTimeouts.requestHandler.requestTimeout).toBeLessThan(29_000);
});
