import { expect, test } from 'vitest';
import type { Account } from '../../../admin/account/connect-account.ts';
import type { StackRemoval } from '../../../admin/account/stack-removal.ts';
import { tearDown } from '../../../admin/commands/teardown.ts';
import { CommandFailedError } from '../../../admin/terminal/errors.ts';
import type { Environment } from '../../../lib/environment/environment.ts';
import { readEnvironment } from '../../../lib/environment/read-environment.ts';
import { awsError, fakeAccount } from './doctor/fake-account.ts';
import { FakeDeployment, runOn } from './fake-deployment.ts';

const forwarder = '0x1111111111111111111111111111111111111111';

const environment = (given: Partial<Environment> = {}): Environment => {
  const production = readEnvironment('production');
  const { settings } = production;
  const retention = { logDays: 30, tables: 'delete', key: 'delete' } as const;
  const chains = settings.chains.slice(0, 1);
  const here = { account: '111122223333', region: 'eu-west-1' };
  return {
    ...production,
    ...here,
    retention,
    deletionProtection: false,
    settings: { ...settings, chains },
    ...given,
  };
};

/** An account with an unprotected stack, and with what a removal leaves. */
function unprotected(given: Partial<Account> = {}, removal: Partial<StackRemoval> = {}) {
  const healthy = fakeAccount();
  const deleted: string[] = [];
  const account: Account = {
    ...healthy,
    stack: async () => {
      const stack = await healthy.stack();
      return stack && { ...stack, isProtected: false, protection: undefined };
    },
    table: () => Promise.reject(awsError('ResourceNotFoundException')),
    keyState: async () => 'PendingDeletion',
    deployment: async () => new FakeDeployment(),
    ...given,
    removal: {
      ...healthy.removal,
      parameters: async () => ['/Imprimatur/rpc-urls/1', '/Imprimatur/settings'],
      signerKeys: async () => [{ alias: 'alias/imprimatur/Imprimatur/signer-1', keyId: 'k1' }],
      deleteStack: async () => {
        deleted.push('stack');
      },
      ...removal,
    },
  };
  return { account, deleted };
}

const show = { env: 'test' };
const confirm = { ...show, yes: true };

test('without --yes, `teardown` deletes nothing, and lists what it would delete and what remains', async () => {
  const { account, deleted } = unprotected();
  const { text, exitCode } = await tearDown(account, environment(), show);
  expect(exitCode).toBe(3);
  expect(deleted).toEqual([]);
  expect(text.split('\n')).toEqual([
    'Nothing was deleted. Pass --yes to permanently delete:',
    '  the stack Imprimatur in 111122223333, eu-west-1, with 120 resources',
    ...['a', 'l', 'q', 'o', 'w'].map((name) => `  the table ${name}`),
    '  the signing key key, after its waiting period',
    expect.stringMatching(
      /^WARNING: 0xf39F.* has \d.* of the coin of chain 31337 \(Local\), lost with its key$/,
    ),
    'What remains:',
    '  SSM parameter /Imprimatur/rpc-urls/1: aws ssm delete-parameter --name /Imprimatur/rpc-urls/1',
    '  signing key alias/imprimatur/Imprimatur/signer-1: aws kms delete-alias --alias-name alias/imprimatur/Imprimatur/signer-1 && aws kms schedule-key-deletion --key-id k1',
    '  signing key key for 30 days, and this command keeps it: aws kms cancel-key-deletion --key-id key',
    `  on chain 1 (Ethereum), permanently: registry 0x000000d505a5eaa8c108537Ce40Aa61E4A27D381, forwarder ${forwarder}`,
  ]);
});

test('with --yes, `teardown` deletes the stack, and lists tables and keys that the deployed stack retained', async () => {
  const { account, deleted } = unprotected();
  expect(await tearDown(account, environment(), confirm)).not.toHaveProperty('exitCode');
  expect(deleted).toEqual(['stack']);
  const retaining = unprotected({ table: fakeAccount().table, keyState: async () => 'Enabled' });
  const { json } = await tearDown(retaining.account, environment(), confirm);
  expect(json).toMatchObject({ deleted: true });
  expect(JSON.stringify(json.remains)).toContain('aws dynamodb delete-table --table-name a');
  expect(JSON.stringify(json.remains)).toContain('aws kms schedule-key-deletion --key-id key');
});

test('`teardown` only lists what remains of a stack that is gone', async () => {
  const { account, deleted } = unprotected({ stack: async () => undefined });
  for (const options of [show, confirm]) {
    const { text, exitCode } = await tearDown(account, environment(), options);
    expect(exitCode).toBeUndefined();
    expect(text).toContain('The stack Imprimatur does not exist.\nWhat remains:\n  SSM parameter');
    expect(text).toContain('/Imprimatur/settings');
  }
  expect(deleted).toEqual([]);
});

test('`teardown` keeps and lists the tables and the key in `settings.existing`', async () => {
  const signingKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/abc';
  const { settings } = environment();
  const existing = { tables: { attestations: 'a' }, signingKeyArn };
  const { json } = await tearDown(
    unprotected().account,
    environment({ settings: { ...settings, existing } }),
    show,
  );
  expect(json.deletes).toMatchObject({ tables: ['l', 'q', 'o', 'w'], signingKey: null });
  expect(JSON.stringify(json.remains)).toContain('delete-table --table-name a');
  expect(JSON.stringify(json.remains)).toContain(`schedule-key-deletion --key-id ${signingKeyArn}`);
});

test('`teardown` reports balances as unknown if the deployment cannot be read', async () => {
  const broken = { deployment: () => Promise.reject(new CommandFailedError('no output QueueTable')) };
  const { json, exitCode } = await tearDown(unprotected(broken).account, environment(), show);
  expect(json.warnings).toEqual(['the balances are unknown: no output QueueTable']);
  expect(exitCode).toBe(3);
});

const inFile = 'environments/test.json';
const retention = { logDays: 30, tables: 'retain', key: 'retain' } as const;
const caller = 'the credentials are for 111122223333 in eu-west-1, but the environment is in';
const stackLike = (fields: object) => ({
  stack: async () =>
    ({ status: 'UPDATE_COMPLETE', isProtected: false, ...fields }) as Awaited<ReturnType<Account['stack']>>,
});

test.each<[string, Partial<Environment>, Partial<Account>, string[]]>([
  [
    'that retains tables and key',
    { retention },
    {},
    ['tables', 'key'].map(
      (name) =>
        `refused: the environment has retention.${name} "retain" -> In ${inFile}, set it to "delete" and deletionProtection to false, and deploy.`,
    ),
  ],
  [
    'of another account',
    { account: '444455556666' },
    {},
    [
      `refused: ${caller} 444455556666 in eu-west-1 -> Set AWS_PROFILE to a profile of the environment's account, and AWS_REGION to its Region.`,
    ],
  ],
  [
    'of another Region',
    { region: 'eu-central-1' },
    {},
    [
      `refused: ${caller} 111122223333 in eu-central-1 -> Set AWS_PROFILE to a profile of the environment's account, and AWS_REGION to its Region.`,
    ],
  ],
  [
    'that is protected',
    {},
    stackLike({ isProtected: true, protection: 'on' }),
    ['the stack has termination protection', "the stack's Protection is on"].map(
      (reason) => `refused: ${reason} -> Set deletionProtection to false in ${inFile}, and deploy.`,
    ),
  ],
  [
    'whose first deployment failed',
    {},
    stackLike({ isProtected: true, protection: 'on', status: 'ROLLBACK_COMPLETE' }),
    [
      'refused: the stack has termination protection -> Run aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name Imprimatur',
    ],
  ],
  [
    'that is being deployed',
    {},
    stackLike({ status: 'UPDATE_IN_PROGRESS' }),
    ['refused: the stack is UPDATE_IN_PROGRESS -> Wait for the deployment, then run teardown again.'],
  ],
])('`teardown` refuses a stack %s, with one line for each reason', async (_, ofFile, given, lines) => {
  const { account, deleted } = unprotected(given);
  const { text, exitCode } = await tearDown(account, environment(ofFile), confirm);
  expect([text.split('\n'), exitCode, deleted]).toEqual([lines, 1, []]);
});

const runTeardown = (account: Account, ...argv: string[]) =>
  runOn(['teardown', ...argv], {
    readTarget: () => account.target,
    connect: () => account.deployment(),
    connectAccount: () => account,
  });

test('`teardown` reads the environment from its file, and rejects one of another stack', async () => {
  const { account } = unprotected({ region: async () => 'eu-central-1' });
  const production = await runTeardown(account, '--env', 'production', '--yes');
  expect(production).toMatchObject({ exitCode: 1, error: '' });
  expect(production.out).toContain('refused: the environment has retention.tables "retain"');
  const unknown = await runTeardown(account, '--env', 'stagin', '--json');
  expect(unknown).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining('there are: production, staging'),
  });
  const other = await runTeardown({ ...account, stackName: 'Other' }, '--env', 'staging');
  expect(other).toMatchObject({ exitCode: 2, error: expect.stringContaining('add --stack Imprimatur') });
});
