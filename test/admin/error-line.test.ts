import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../admin/deployment/connect.ts';
import { readTarget, type Target } from '../../admin/deployment/target.ts';
import { operatorErrorLine } from '../../admin/error-line.ts';
import { RpcUrlsMissingError } from '../../admin/terminal/errors.ts';
import { ChainUnreachableError, RefusedError } from '../../functions/domain/errors.ts';
import { answeringServer } from '../fakes/rpc/answering-server.ts';

const cloud: Target = { kind: 'cloud', stackName: 'Imprimatur' };

function localTarget(endpointUrl: string): Target {
  const common = {
    kind: 'local',
    emulator: 'ministack',
    stackName: 'Imprimatur',
    region: 'us-east-1',
    chainId: 31337,
  } as const;
  return { ...common, endpointUrl, rpcUrl: 'http://127.0.0.1:8545' };
}

async function failureOf(target: Target): Promise<string> {
  return connect(target).then(
    () => 'connected',
    (error: unknown) => operatorErrorLine(error, target),
  );
}

test('the error says to start the local stack if it does not respond', async () => {
  const url = 'http://127.0.0.1:2';
  expect(await failureOf(localTarget(url))).toBe(
    `the local stack does not respond at ${url}; start it with npm start, or pass --stack for a cloud stack`,
  );
});

const response = (status: number, body: string) => answeringServer(() => ({ status, body }));

test('the error says to start the local stack if the emulator has no such stack', async () => {
  const url = await response(
    400,
    '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>' +
      '<Message>Stack with id Imprimatur does not exist</Message></Error></ErrorResponse>',
  );
  expect(await failureOf(localTarget(url))).toBe(
    `there is no stack Imprimatur at ${url}; start the local stack with npm start`,
  );
});

test('the error names the outputs that an older stack lacks', async () => {
  const tables = ['Attestations', 'Lanes', 'Queue', 'Organizations', 'Webhooks'].map(
    (name) => `${name}Table`,
  );
  const outputs = [...tables, 'SigningKeyId', 'RpcUrlsPath', 'AttestStateMachineArn', 'LaneStateMachineArn']
    .map((name) => `<member><OutputKey>${name}</OutputKey><OutputValue>x</OutputValue></member>`)
    .join('');
  const url = await response(
    200,
    '<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>Imprimatur</StackName>' +
      `<Outputs>${outputs}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
  expect(await failureOf(localTarget(url))).toBe(
    'the stack Imprimatur has no output SettingsParameter; deploy it again',
  );
});

test('the error keeps the message of an expected error', () => {
  expect(operatorErrorLine(new RefusedError('no API key has the ID ab'), cloud)).toBe(
    'no API key has the ID ab',
  );
});

test("the error of an unreachable chain includes the providers' errors without URLs", () => {
  const cause = new Error('no provider answers: nonce too low at https://rpc.example/key');
  expect(operatorErrorLine(new ChainUnreachableError(5, { cause }), cloud)).toBe(
    'chain 5 cannot be reached at the moment; try again (no provider answers: nonce too low at <url>)',
  );
});

test('the error explains how to set missing RPC URLs', () => {
  const cause = new RpcUrlsMissingError(5, '/Imprimatur/rpc-urls/5');
  expect(operatorErrorLine(new ChainUnreachableError(5, { cause }), cloud)).toBe(cause.message);
});

test.each([
  ['no credentials', Object.assign(new Error('Could not load'), { name: 'CredentialsProviderError' })],
  ['no region', new Error('Region is missing')],
])('the error says what to set if the AWS SDK finds %s', (_, error) => {
  expect(operatorErrorLine(error, cloud)).toMatch(/^no AWS credentials or no region found; .*npm start$/);
});

test('the error recognizes a refused connection behind other errors', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const both = new AggregateError([refused, refused]);
  expect(operatorErrorLine(new Error('fetch failed', { cause: both }), cloud)).toMatch(/^cannot reach AWS/);
});

test('any other error is one line without URLs', () => {
  const error = new TypeError('cannot\n  reach https://rpc.example/v3/secret-key now');
  expect(operatorErrorLine(error, cloud)).toBe('TypeError: cannot reach <url> now');
  expect(operatorErrorLine('a string', cloud)).toBe('unknown error');
});

const stack = {
  emulator: 'ministack',
  endpointUrl: 'http://127.0.0.1:4566',
  region: 'us-east-1',
  chainId: 31337,
  rpcUrl: 'http://127.0.0.1:8545',
};

const directory = mkdtempSync(`${tmpdir()}/imprimatur-cli-`);
afterAll(() => rmSync(directory, { recursive: true }));

function file(text: string): string {
  const path = `${directory}/${randomUUID()}.json`;
  writeFileSync(path, text);
  return path;
}

const started = () => file(JSON.stringify({ ...stack, apiKey: 'imp_test_x' }));

const cloudNamed = (stackName: string) => ({ kind: 'cloud', stackName });
const localNamed = (stackName: string) => ({ kind: 'local', stackName, ...stack });

test.each([
  ['the local stack while its file is there', {}, started(), localNamed('Imprimatur')],
  ['the cloud when no local stack was started', {}, '/nowhere/stack.json', cloudNamed('Imprimatur')],
  ['the cloud when a stack is named', { stack: 'Production' }, started(), cloudNamed('Production')],
  [
    'the file that is named',
    { stackFile: file(JSON.stringify({ ...stack, stackName: 'Other' })) },
    started(),
    localNamed('Other'),
  ],
])('`readTarget` selects %s', (_, options, path, target) => {
  expect(readTarget(options, path)).toEqual(target);
});

test('`readTarget` rejects a missing file', () => {
  expect(() => readTarget({ stackFile: '/nowhere/stack.json' }, started())).toThrow(
    '/nowhere/stack.json does not exist',
  );
});

test.each(['', '{', '[]', '{"region":"us-east-1"}'])(
  '`readTarget` rejects a file that contains %j',
  (text) => {
    expect(() => readTarget({}, file(text))).toThrow(/is not a valid stack file/);
  },
);
