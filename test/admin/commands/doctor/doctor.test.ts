import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Account } from '../../../../admin/account/connect-account.ts';
import { providersOf, withoutUrl } from '../../../../admin/commands/doctor/chain/provider-checks.ts';
import {
  exitCodeOf,
  type Finding,
  notChecked,
  ok,
  problem,
  reportText,
  type Section,
  warning,
} from '../../../../admin/commands/doctor/report.ts';
import { CommandFailedError } from '../../../../admin/terminal/errors.ts';
import { FakeDeployment } from '../fake-deployment.ts';
import { awsError, fakeAccount, linesOf, runDoctor } from './fake-account.ts';

const failing = (name: string) => () => Promise.reject(awsError(name, 'User: x is not authorized'));
const never = failing('AccessDeniedException');
const lowQuota = { name: 'StartExecution throttle token refill rate per second', code: 'L-9', value: 10 };
const subscribers = (pending: number) => ({ subscriptions: async () => ({ confirmed: [], pending }) });

/** A table as a restore leaves it. */
const restored = {
  ...{ status: 'ACTIVE', indexes: { due: 'ACTIVE', inFlight: 'ACTIVE' } },
  ...{ hasPointInTimeRecovery: false, isProtected: false, hasStream: false },
  timeToLiveAttribute: undefined,
};

/** Runs `doctor` and leaves out the findings of the chains, because the account has no RPC URLs. */
async function foundOf(account: Account, ...argv: string[]): Promise<{ found: Finding[]; exitCode: number }> {
  const { out } = await runDoctor(account, [...argv, '--json']);
  const sections = (JSON.parse(out).sections as Section[]).filter(({ chainId }) => chainId === undefined);
  return { found: sections.flatMap(({ findings }) => findings), exitCode: exitCodeOf(sections) };
}

test('doctor reports ok for every check of a healthy account', async () => {
  const { found, exitCode } = await foundOf(fakeAccount());
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(exitCode).toBe(0);
});

test('doctor reports a problem if a deployed chain has no RPC URLs', async () => {
  const { out, exitCode } = await runDoctor(fakeAccount());
  expect(linesOf(out, 'RPC URLs')[0]).toMatch(
    /^ {2}problem .*put-parameter --overwrite --type SecureString --name \/Imprimatur\/rpc-urls\/31337/,
  );
  expect(exitCode).toBe(1);
});

const failedStack = {
  status: 'UPDATE_ROLLBACK_FAILED',
  changedAt: undefined,
  isProtected: true,
  protection: 'off',
  outputs: {},
} as const;
const running = { currentVersion: '8', countByVersion: new Map([['7', 2]]) };
const unindexed = { ...restored, indexes: { due: 'CREATING' } };
const otherVersion = new CommandFailedError('the stack has no output QueueTable');

test.each<[string, Partial<Account>, string, string, number]>([
  ['no logging role', { loggingRole: async () => undefined }, 'logging role', 'problem', 1],
  ['no bootstrap', { bootstrapVersion: async () => undefined }, 'bootstrap', 'problem', 1],
  ['a new account', { concurrentExecutions: async () => 10 }, 'concurrent executions', 'warning', 0],
  ['low quotas', { quotas: async () => [lowQuota] }, 'starts a second', 'warning', 0],
  ['no quotas shown', { quotas: async () => [] }, 'starts a second', 'not checked', 0],
  ['quotas denied', { quotas: never }, 'quotas of Step Functions', 'not checked', 2],
  ['no subscriber', subscribers(0), 'alarm subscribers', 'warning', 0],
  ['a subscriber who did not confirm', subscribers(2), 'alarm subscribers', 'warning', 0],
  [
    'topic throttled',
    { subscriptions: failing('ThrottlingException') },
    'alarm subscribers',
    'not checked',
    2,
  ],
  ['no sweep', { lastLine: async () => undefined }, 'last sweep', 'problem', 1],
  ['a late sweep', { lastLine: async () => new Date(Date.now() - 400_000) }, 'last sweep', 'problem', 1],
  ['no log group', { logGroups: async () => new Map() }, 'last sweep', 'problem', 1],
  ['a deleted log group', { lastLine: failing('ResourceNotFoundException') }, 'last sweep', 'not checked', 2],
  ['older versions', { runningExecutions: async () => running }, 'versions of lane', 'warning', 0],
  ['a disabled key', { keyState: async () => 'Disabled' }, 'signing key', 'problem', 1],
  ['a table without its indexes', { table: async () => unindexed }, 'tables', 'problem', 1],
  ['a failed deployment', { stack: async () => failedStack }, 'stack', 'problem', 1],
  ['another version', { deployment: () => Promise.reject(otherVersion) }, 'stack', 'not checked', 2],
])('%s', async (_, given, check, state, exitCode) => {
  const all = await foundOf(fakeAccount(given));
  const one = all.found.find((finding) => finding.check === check && finding.state === state);
  expect(one ?? all.found).toMatchObject({ todo: expect.stringMatching(/\w/) });
  expect(all.exitCode).toBe(exitCode);
});

test('doctor checks only the environment before the first deployment', async () => {
  const { out, exitCode } = await runDoctor(
    fakeAccount({
      ...{ region: async () => 'eu-central-1', stack: async () => undefined },
      ...{ deployment: never, table: never, subscriptions: never },
    }),
    ['--env', 'production', '--chain', '1'],
  );
  expect(out).toContain('chains, from environments/production.json');
  expect(out).toContain('stack: nothing is deployed yet');
  expect(out).toContain('Chain 1 (Ethereum)');
  expect(out).not.toContain('Chain 8453');
  expect(exitCode).toBe(0);
});

test('doctor reports an invalid environment, and one of another account', async () => {
  const unserved = await runDoctor(fakeAccount(), ['--chain', '5']);
  expect(unserved).toMatchObject({ exitCode: 2, error: expect.stringContaining('chain 5 is not served') });
  const unknown = await runDoctor(fakeAccount(), ['--env', 'stagin']);
  expect(linesOf(unknown.out, 'settings')[0]).toContain('there are: production, staging');
  expect(unknown.exitCode).toBe(1);
  const foreign = await foundOf(fakeAccount(), '--env', 'production');
  expect(foreign.found).toContainEqual(expect.objectContaining({ check: 'account', state: 'problem' }));
});

test('doctor has no settings to check without a deployment and an environment', async () => {
  const { out } = await runDoctor(fakeAccount({ stack: async () => undefined }));
  expect(linesOf(out, 'settings')[0]).toMatch(/not checked.*--env NAME/);
});

test.each([
  ['MiniStack', awsError('UnknownOperationException', '')],
  ['LocalStack', awsError('InternalFailure', 'service-quotas has not yet been emulated by LocalStack')],
])('on a local stack, doctor skips checks that %s does not support', async (_, error) => {
  const target = {
    kind: 'local',
    emulator: 'ministack',
    ...{ endpointUrl: 'http://127.0.0.1:4566', region: 'eu-west-1', stackName: 'Imprimatur' },
    ...{ chainId: 31337, rpcUrl: 'http://127.0.0.1:8545' },
  } as const;
  const { found, exitCode } = await foundOf(
    fakeAccount({ target, loggingRole: async () => undefined, quotas: () => Promise.reject(error) }),
  );
  expect(found).toContainEqual(expect.objectContaining({ check: 'logging role', state: 'not checked' }));
  expect(found).toContainEqual(
    expect.objectContaining({ message: 'the emulator does not support servicequotas:ListServiceQuotas' }),
  );
  expect(exitCode).toBe(0);
});

test.each(['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'CREATE_FAILED'])(
  'doctor prints how to deploy again after a first deployment that ended as %s',
  async (status) => {
    const todosOf = async (isProtected: boolean) => {
      const stack = async () => ({ ...failedStack, status, isProtected });
      const { found } = await foundOf(fakeAccount({ stack }), '--env', 'staging');
      return found.flatMap(({ check, todo }) => (/^(stack|protection)$/.test(check) ? [todo] : []));
    };
    const command =
      'run aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name Imprimatur, ';
    const read = "Read the stack's events in CloudFormation,";
    expect(await todosOf(true)).toEqual([`${read} ${command}and deploy again.`]);
    expect(await todosOf(false)).toEqual([`${read} and deploy again.`]);
  },
);

test('doctor lists the missing settings of a restored table, and protection only if the stack has it', async () => {
  const healthy = await fakeAccount().stack();
  const todosOf = async (protection: 'on' | 'off', table = ' l ') => {
    const stack = async () => healthy && { ...healthy, protection };
    const { found } = await foundOf(fakeAccount({ stack, table: async () => restored }));
    return found.flatMap(({ check, todo }) => (check === 'tables' && todo?.includes(table) ? [todo] : []));
  };
  expect(await todosOf('on')).toEqual([
    expect.stringContaining('aws dynamodb update-continuous-backups --table-name l '),
    'Run aws dynamodb update-table --table-name l --deletion-protection-enabled',
    expect.stringContaining('aws dynamodb update-time-to-live --table-name l '),
  ]);
  expect(await todosOf('off')).toHaveLength(2);
  expect(await todosOf('off', ' a ')).toContainEqual(expect.stringContaining('--stream-specification'));
});

test('doctor warns if a stack lacks the protection of its environment', async () => {
  const deployed = await fakeAccount().stack();
  type Protection = 'on' | 'off' | undefined;
  const protectionOf = async (isProtected: boolean, protection: Protection, ...argv: string[]) => {
    const stack = async () => deployed && { ...deployed, isProtected, protection };
    const { found } = await foundOf(fakeAccount({ stack }), ...argv);
    return found.filter(({ check }) => check === 'protection').map(({ state, todo }) => [state, todo]);
  };
  expect(await protectionOf(true, 'on', '--env', 'staging')).toEqual([]);
  expect(await protectionOf(false, 'on', '--env', 'staging')).toEqual([['warning', 'Deploy it again.']]);
  const command = 'Run npx cdk deploy -c env=staging --parameters Protection=on';
  for (const [isProtected, protection] of [
    [true, 'off'],
    [false, 'off'],
    [true, undefined],
  ] as const)
    expect(await protectionOf(isProtected, protection, '--env', 'staging')).toEqual([['warning', command]]);
  // Without --env, the required protection is unknown.
  expect(await protectionOf(false, 'off')).toEqual([]);
});

const sections = [
  {
    title: 'Chain 1 (Ethereum)',
    findings: [
      {
        check: 'registry',
        ...ok('0x000000d505a5eaa8c108537Ce40Aa61E4A27D381 has the code of a known version of it'),
      },
      {
        check: 'providers',
        ...warning('1 of 2 do not answer: evil\n  ok  forged\u001b[31m', 'Replace its URL.'),
      },
      { check: 'signer', ...problem('no money', 'Send money to it.') },
      { check: 'delegations', ...notChecked('there is no organization yet') },
    ],
  },
  { title: 'nothing', findings: [] },
];

test('in a pipe, the report has one line for each finding', () => {
  const text = reportText(sections, false);
  expect(text.split('\n')).toHaveLength(7);
  expect(text).toContain('problem      signer: no money -> Send money to it.');
  expect(text).toContain('1 ok, 1 warning, 1 problem, 1 not checked');
  expect(text).not.toContain('nothing');
  // A provider's error adds no line and no color.
  expect(text).toContain('evil ok forged\\u{1b}[31m');
  expect(stripVTControlCharacters(text)).toBe(text);
});

test('the report has colored states in a terminal', () => {
  const text = reportText(sections, true);
  expect(text).toContain('\u001b[31mproblem');
  expect(stripVTControlCharacters(text)).toBe(reportText(sections, false));
});

const url = 'https://user:pass-word@rpc.example.org/v3/0123456789abcdef?apikey=s%C3%A9cret-key';

test.each([
  `cannot reach ${url}`,
  'invalid project id 0123456789abcdef',
  'key sécret-key is over its limit',
  'key s%C3%A9cret-key is over its limit',
  'wrong pass-word',
])('`withoutUrl` removes secrets of a URL: %s', (text) => {
  const shown = withoutUrl(text, url);
  for (const secret of ['0123456789abcdef', 'sécret-key', 's%C3%A9cret-key', 'pass-word'])
    expect(shown).not.toContain(secret);
});

test('providers are named by host, with a number if two have the same host', async () => {
  const [chain] = (await new FakeDeployment().settings()).chains;
  if (!chain) throw new Error('no chain');
  const names = providersOf([url, 'https://other.example/x', 'https://rpc.example.org/y'], chain);
  expect(names.map(({ name }) => name)).toEqual([
    'rpc.example.org (1)',
    'other.example',
    'rpc.example.org (2)',
  ]);
});
