import type { Account } from '../../../../admin/account/connect-account.ts';
import type { Deployment } from '../../../../admin/deployment/connect.ts';
import { FakeDeployment, type Run, runOn } from '../fake-deployment.ts';

export function awsError(name: string, message = name): Error {
  return Object.assign(new Error(message), { name, $fault: 'client' });
}

const arn = (service: string, name: string) => `arn:aws:${service}:eu-west-1:111122223333:${name}`;

/** A healthy account with a deployment. Tests replace functions. */
export function fakeAccount(
  given: Partial<Account> = {},
  deployment: Deployment = new FakeDeployment(),
): Account {
  const healthy: Account = {
    target: { kind: 'cloud', stackName: 'Imprimatur' },
    stackName: 'Imprimatur',
    identity: async () => arn('iam', 'role/operator'),
    region: async () => 'eu-west-1',
    stack: async () => ({
      ...{ status: 'UPDATE_COMPLETE', changedAt: new Date('2026-01-02T03:00:00Z') },
      ...{ isProtected: true, protection: 'on' },
      outputs: {
        ...{ AttestationsTable: 'a', LanesTable: 'l', QueueTable: 'q', OrganizationsTable: 'o' },
        WebhooksTable: 'w',
        ...{ SigningKeyId: 'key', AlarmTopicArn: arn('sns', 'alarms'), RpcUrlsPath: '/Imprimatur/rpc-urls' },
        AttestStateMachineArn: arn('states', 'stateMachine:attest:live'),
        LaneStateMachineArn: arn('states', 'stateMachine:lane:live'),
      },
    }),
    alarms: async () => [],
    logGroups: async () => new Map([['WorkflowSweepLog1A2B', 'sweep-log']]),
    bootstrapVersion: async () => '30',
    loggingRole: async () => arn('iam', 'role/api-gateway-logs'),
    concurrentExecutions: async () => 1_000,
    hasQuotaRequest: async () => false,
    quotas: async () => [
      { name: 'StartExecution throttle token refill rate per second', code: 'L-1', value: 300 },
      { name: 'StateTransition throttle token refill rate per second', code: 'L-2', value: 5_000 },
    ],
    parameterType: async () => 'SecureString',
    providers: async () => ({ urls: [], advice: 'replace the stored ones' }),
    subscriptions: async () => ({ confirmed: ['email'], pending: 0 }),
    table: async (name) => ({
      ...{ status: 'ACTIVE', indexes: { due: 'ACTIVE', inFlight: 'ACTIVE' } },
      ...{ hasPointInTimeRecovery: true, isProtected: true, hasStream: true },
      timeToLiveAttribute: ['a', 'l', 'w'].includes(name) ? 'expiresAt' : undefined,
    }),
    keyState: async () => 'Enabled',
    lastLine: async () => new Date(),
    runningExecutions: async () => ({ currentVersion: '7', countByVersion: new Map([['7', 3]]) }),
    deployment: async () => deployment,
    removal: {
      countResources: async () => 120,
      parameters: async () => [],
      signerKeys: async () => [],
      deleteStack: async () => {},
    },
  };
  return { ...healthy, ...given };
}

export const runDoctor = (account: Account, argv: readonly string[] = []): Promise<Run> =>
  runOn(['doctor', ...argv], {
    readTarget: () => account.target,
    connect: () => account.deployment(),
    connectAccount: () => account,
  });

export function linesOf(out: string, check: string): string[] {
  return out.split('\n').filter((line) => line.includes(`  ${check}: `));
}
