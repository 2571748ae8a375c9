import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { type Account, connectAccount } from '../../../admin/account/connect-account.ts';
import { answeringServer, type Reply } from '../../fakes/rpc/answering-server.ts';
import { runDoctor } from '../commands/doctor/fake-account.ts';

function actionOf(body: string, { method, url = '', headers }: IncomingMessage): string {
  const target = headers['x-amz-target'];
  if (target) return String(target).split('.').at(-1) ?? '';
  return new URLSearchParams(body).get('Action') ?? `${method} ${url}`;
}

async function account(answer: (action: string) => Reply): Promise<{ account: Account; asked: string[] }> {
  const asked: string[] = [];
  const endpointUrl = await answeringServer((body, request) => {
    const action = actionOf(body, request);
    asked.push(action);
    return answer(action);
  });
  const target = {
    kind: 'local',
    emulator: 'ministack',
    ...{ endpointUrl, region: 'eu-west-1', stackName: 'Imprimatur' },
    ...{ chainId: 31337, rpcUrl: 'http://127.0.0.1:1' },
  } as const;
  return { account: connectAccount(target), asked };
}

const json = (body: unknown): Reply => ({ body: JSON.stringify(body) });
const xml = (action: string, body: string): Reply => ({
  body: `<${action}Response><${action}Result>${body}</${action}Result></${action}Response>`,
});

test("the account's functions parse the responses of each service", async () => {
  const { account: read } = await account((action) => {
    if (action === 'GET /account') return json({ cloudwatchRoleArn: 'arn:role' });
    if (action.includes('account-settings')) return json({ AccountLimit: { ConcurrentExecutions: 10 } });
    if (action === 'ListServiceQuotas')
      return json({ Quotas: [{ QuotaName: 'n', QuotaCode: 'L-1', Value: 5 }, { QuotaName: 'no value' }] });
    if (action === 'GetParameter')
      return { status: 400, body: JSON.stringify({ __type: 'ParameterNotFound' }) };
    if (action === 'DescribeKey') return json({ KeyMetadata: { KeyId: 'k', KeyState: 'Disabled' } });
    if (action === 'ListSubscriptionsByTopic')
      return xml(
        action,
        '<Subscriptions><member><Protocol>email</Protocol><SubscriptionArn>arn:1</SubscriptionArn></member>' +
          '<member><Protocol>sms</Protocol><SubscriptionArn>PendingConfirmation</SubscriptionArn></member></Subscriptions>',
      );
    if (action === 'DescribeStacks')
      return xml(
        action,
        '<Stacks><member><StackStatus>CREATE_COMPLETE</StackStatus><EnableTerminationProtection>true</EnableTerminationProtection>' +
          '<Parameters><member><ParameterKey>BootstrapVersion</ParameterKey><ParameterValue>/cdk</ParameterValue></member>' +
          '<member><ParameterKey>Protection</ParameterKey><ParameterValue>off</ParameterValue></member></Parameters></member></Stacks>',
      );
    return { status: 500, body: '' };
  });
  expect(await read.stack()).toMatchObject({ isProtected: true, protection: 'off' });
  expect(await read.loggingRole()).toBe('arn:role');
  expect(await read.concurrentExecutions()).toBe(10);
  expect(await read.quotas('states')).toEqual([{ name: 'n', code: 'L-1', value: 5 }]);
  expect(await read.bootstrapVersion()).toBeUndefined();
  expect(await read.keyState('k')).toBe('Disabled');
  expect(await read.subscriptions('arn:t')).toEqual({ confirmed: ['email'], pending: 1 });
});

test('`alarms` shortens names and finds the section of the runbook', async () => {
  const alarms = [
    {
      AlarmName: 'Imprimatur-AlarmsFundsLow84531A2B3C4D-X1Y2',
      AlarmDescription: 'Send. Then: docs/runbook.md#fundslow',
    },
    { AlarmName: 'Imprimatur-AlarmsOther', AlarmDescription: 'Unknown.' },
  ];
  const { account: read, asked } = await account(() => json({ MetricAlarms: alarms }));
  expect(await read.alarms()).toEqual([
    { name: 'FundsLow8453', since: undefined, runbook: 'docs/runbook.md#fundslow' },
    { name: 'Imprimatur-AlarmsOther', since: undefined, runbook: 'docs/runbook.md' },
  ]);
  expect(asked).toEqual(['DescribeAlarms']);
});

test('`lastLine` finds the newest matching line across pages', async () => {
  const pages = [
    { events: [], nextToken: 'a' },
    { events: [{ message: '{"message":"sweep done"}', timestamp: 2_000 }], nextToken: 'b' },
    { events: [{ message: '{"message":"another"}', timestamp: 9_000 }] },
  ];
  const { account: read } = await account(() => json(pages.shift()));
  expect(await read.lastLine('group', 'sweep done', new Date(0))).toEqual(new Date(2_000));
  const { account: silent } = await account(() => json({ events: [] }));
  expect(await silent.lastLine('group', 'sweep done', new Date(0))).toBeUndefined();
});

test('`runningExecutions` counts executions by version', async () => {
  const version = (number: number) => `arn:aws:states:eu-west-1:1:stateMachine:lane:${number}`;
  const { account: read } = await account((action) =>
    action === 'ListExecutions'
      ? json({
          executions: [{ stateMachineVersionArn: version(7) }, { stateMachineVersionArn: version(8) }, {}],
        })
      : json({ routingConfiguration: [{ stateMachineVersionArn: version(8), weight: 100 }] }),
  );
  const { currentVersion, countByVersion } = await read.runningExecutions(`${version(1).slice(0, -1)}live`);
  expect(currentVersion).toBe('8');
  expect([...countByVersion]).toEqual([
    ['7', 1],
    ['8', 1],
    ['none', 1],
  ]);
});

test('doctor prints a line for every denied check, and sends only read requests', async () => {
  const { account: denied, asked } = await account(() => ({
    status: 403,
    body: JSON.stringify({ __type: 'AccessDeniedException', message: 'not authorized' }),
  }));
  const { exitCode, out, error } = await runDoctor(denied, ['--env', 'production', '--chain', '1']);
  expect([exitCode, error]).toEqual([2, '']);
  expect(out).toContain('not checked  logging role: access to apigateway:GET of /account denied -> Grant it');
  expect(out.match(/not checked/g)?.length).toBeGreaterThan(4);
  expect(asked.length).toBeGreaterThan(4);
  for (const action of asked) expect(action).toMatch(/^(Get|List|Describe|Filter|GET )/);
});
