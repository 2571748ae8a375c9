import { expect, test } from 'vitest';
import { changeAccount } from '../../../admin/account/change-account.ts';
import { connectAccount } from '../../../admin/account/connect-account.ts';
import { answeringServer, type Reply } from '../../fakes/rpc/answering-server.ts';

const json = (body: object): Reply => ({ body: JSON.stringify(body) });
const xml = (action: string, body = ''): Reply => ({
  body: `<${action}Response><${action}Result>${body}</${action}Result></${action}Response>`,
});
const jsonError = (type: string, status = 400): Reply => ({
  status,
  ...json({ __type: type, message: type }),
});
const xmlError = (code: string, message: string, status = 400): Reply => ({
  status,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

/** AWS as far as the test describes it: each action's answers, whose last one repeats. */
async function aws(answers: Readonly<Record<string, readonly Reply[]>>) {
  const asked: string[] = [];
  const bodies: string[] = [];
  const pauses: number[] = [];
  const endpointUrl = await answeringServer((body, { method, url, headers }) => {
    const target = headers['x-amz-target'];
    const action = target
      ? String(target).split('.').at(-1)
      : (new URLSearchParams(body).get('Action') ?? `${method} ${url}`);
    asked.push(String(action));
    bodies.push(body);
    const replies = answers[String(action)] ?? [xml(String(action))];
    return replies[asked.filter((one) => one === action).length - 1] ?? (replies.at(-1) as Reply);
  });
  const target = {
    ...({ kind: 'local', emulator: 'ministack' } as const),
    ...{ endpointUrl, region: 'eu-west-1', stackName: 'S', chainId: 31337, rpcUrl: 'http://127.0.0.1:1' },
  };
  const pause = async (milliseconds: number) => pauses.push(milliseconds);
  const { hasQuotaRequest } = connectAccount(target);
  return { changes: changeAccount(target, pause), hasQuotaRequest, asked, bodies, pauses };
}

const role = xml('GetRole', '<Role><Arn>arn:role</Arn></Role>');
const roleActions = ['CreateRole', 'AttachRolePolicy', 'GetRole'];
const update = 'PATCH /account';
const times = (count: number, reply: Reply): Reply[] => Array.from({ length: count }, () => reply);
const refused = jsonError('BadRequestException');

const exists = xmlError('EntityAlreadyExists', 'Role with name x already exists.', 409);

test.each([
  ['a new role', {}, 1, 0],
  ['a role of a run that died', { CreateRole: [exists] }, 1, 0],
  ['a role that IAM still distributes', { [update]: [...times(2, refused), json({})] }, 3, 2],
  ['a role after throttling', { [update]: [jsonError('TooManyRequestsException', 429), json({})] }, 2, 0],
])('`createLoggingRole` sets %s', async (_, answers, updates, waits) => {
  const { changes, asked, bodies, pauses } = await aws({ GetRole: [role], [update]: [json({})], ...answers });
  await changes.createLoggingRole();
  expect(asked).toEqual([...roleActions, ...Array.from({ length: updates }, () => update)]);
  expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({
    patchOperations: [{ op: 'replace', path: '/cloudwatchRoleArn', value: 'arn:role' }],
  });
  expect(pauses).toEqual(Array.from({ length: waits }, () => 20_000));
});

test('`createLoggingRole` gives up after ten tries, and throws every other error at once', async () => {
  const never = await aws({ GetRole: [role], [update]: [refused] });
  await expect(never.changes.createLoggingRole()).rejects.toThrow('BadRequestException');
  expect(never.asked).toHaveLength(roleActions.length + 10);
  const denied = await aws({ CreateRole: [xmlError('AccessDenied', 'not authorized', 403)] });
  await expect(denied.changes.createLoggingRole()).rejects.toThrow('not authorized');
  expect(denied.asked).toEqual(['CreateRole']);
});

test.each([
  ['is new', json({}), undefined],
  ['is pending', jsonError('ResourceAlreadyExistsException'), undefined],
  ['exceeds the limit of pending requests', jsonError('QuotaExceededException'), 'QuotaExceededException'],
  ['is denied', jsonError('AccessDeniedException'), 'AccessDeniedException'],
])('`requestQuota` handles a request that %s', async (_, reply, name) => {
  const { changes, bodies } = await aws({ RequestServiceQuotaIncrease: [reply] });
  const error = await changes.requestQuota('lambda', 'L-1', 1_000).catch((thrown: Error) => thrown.name);
  expect(error).toBe(name);
  expect(JSON.parse(bodies[0] ?? '')).toEqual({
    ...{ ServiceCode: 'lambda', QuotaCode: 'L-1', DesiredValue: 1_000 },
  });
});

test.each([
  ...['PENDING', 'CASE_OPENED', 'APPROVED'].map((status) => [status, true] as const),
  ...['DENIED', 'CASE_CLOSED', 'NOT_APPROVED', 'INVALID_REQUEST'].map((status) => [status, false] as const),
])('`hasQuotaRequest` of a request that is %s returns %s', async (status, expected) => {
  const pages = [{ RequestedQuotas: [], NextToken: 'more' }, { RequestedQuotas: [{ Status: status }] }];
  const { hasQuotaRequest } = await aws({
    ListRequestedServiceQuotaChangeHistoryByQuota: pages.map(json),
  });
  expect(await hasQuotaRequest('lambda', 'L-1')).toBe(expected);
});

const stackIn = (status: string) =>
  xml(
    'DescribeStacks',
    `<Stacks><member><StackName>S</StackName><StackStatus>${status}</StackStatus><Parameters>` +
      '<member><ParameterKey>BootstrapVersion</ParameterKey><ParameterValue>/cdk</ParameterValue></member>' +
      '<member><ParameterKey>Protection</ParameterKey><ParameterValue>off</ParameterValue></member></Parameters></member></Stacks>',
  );

test('`protectStack` changes one parameter, keeps the others and the template, and waits', async () => {
  const stacks = [stackIn('CREATE_COMPLETE'), stackIn('UPDATE_COMPLETE')];
  const { changes, asked, bodies } = await aws({ DescribeStacks: stacks });
  await changes.protectStack();
  expect(asked).toEqual(['DescribeStacks', 'UpdateStack', 'DescribeStacks']);
  const sent = Object.fromEntries(new URLSearchParams(bodies[1]));
  expect(sent).toMatchObject({
    ...{ StackName: 'S', UsePreviousTemplate: 'true' },
    'Parameters.member.1.ParameterKey': 'Protection',
    'Parameters.member.1.ParameterValue': 'on',
    'Parameters.member.2.ParameterKey': 'BootstrapVersion',
    'Parameters.member.2.UsePreviousValue': 'true',
  });
  expect(Object.keys(sent).filter((name) => /member\.3\.|member\.2\.ParameterValue/.test(name))).toEqual([]);
});

const unchanged =
  "CloudFormation did not turn on the protection of S; read the stack's events, and run setup again";

test.each([
  ['there is no change', xmlError('ValidationError', 'No updates are to be performed.'), undefined],
  ['AWS denies it', xmlError('AccessDenied', 'not authorized', 403), 'not authorized'],
  ['CloudFormation rolls it back', xml('UpdateStack'), unchanged],
])('`protectStack` ends if %s', async (_, reply, message) => {
  const stacks = [stackIn('CREATE_COMPLETE'), stackIn('UPDATE_ROLLBACK_COMPLETE')];
  const { changes } = await aws({ DescribeStacks: stacks, UpdateStack: [reply] });
  expect(await changes.protectStack().catch((error: Error) => error.message)).toBe(message);
});

test('`allowReplacement` turns only the termination protection off', async () => {
  const { changes, bodies } = await aws({});
  await changes.allowReplacement();
  expect(Object.fromEntries(new URLSearchParams(bodies[0]))).toMatchObject({
    ...{ Action: 'UpdateTerminationProtection', StackName: 'S', EnableTerminationProtection: 'false' },
  });
});

test('`putRpcUrls` stores them encrypted, one per line', async () => {
  const { changes, bodies } = await aws({
    DescribeParameters: [json({})],
    PutParameter: [json({ Version: 1 })],
  });
  await changes.putRpcUrls('/S/rpc-urls/1', ['https://a.example', 'https://b.example']);
  const stored = {
    Name: '/S/rpc-urls/1',
    Type: 'SecureString',
    Value: 'https://a.example\nhttps://b.example',
  };
  expect(JSON.parse(bodies[1] ?? '')).toMatchObject(stored);
});
