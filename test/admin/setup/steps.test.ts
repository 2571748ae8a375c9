import { delegateForwarderAbi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { create2ProxyAddress } from 'imprimatur-contracts/deploy/deployment';
import { forwarderDeployment } from 'imprimatur-contracts/deploy/forwarder-deployment';
import { Progress } from 'imprimatur-terminal/progress';
import { encodeFunctionData, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import type { Account } from '../../../admin/account/connect-account.ts';
import type { Answers } from '../../../admin/setup/answers.ts';
import { setupChanges } from '../../../admin/setup/changes.ts';
import { accountSteps } from '../../../admin/setup/steps/account.ts';
import { contractsStep, rpcUrlsStep } from '../../../admin/setup/steps/chains.ts';
import { deploymentSteps, settled } from '../../../admin/setup/steps/deployment.ts';
import { fundsStep, operatorStep } from '../../../admin/setup/steps/signer.ts';
import { environmentDigest } from '../../../lib/environment/environment.ts';
import type { ChildOptions, Supervisor } from '../../../local/process/supervise.ts';
import { awsError, fakeAccount } from '../commands/doctor/fake-account.ts';
import {
  FakeDeployment,
  otherAuthority,
  registryAddress,
  signerAddress,
} from '../commands/fake-deployment.ts';
import { environmentWith, type Given, lookAndAct } from './fake-setup.ts';

const payer = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const stackName = 'Imprimatur';
const environment = environmentWith();

const notAsked = async (): Promise<never> => {
  throw new Error('not asked');
};
const refused = (name: string) => async (): Promise<never> => {
  throw awsError(name);
};
const account = (fields: Partial<Account>): Given => ({ account: fields });
const answers = (fields: Partial<Answers>): Given => ({ answers: fields });

/** A stack that was deployed from `environment`. */
const stackIn = (status: string): Given =>
  account({
    stack: async () => ({
      ...{ status, changedAt: new Date(0), isProtected: true, protection: 'off' },
      outputs: { EnvironmentDigest: environmentDigest(environment) },
    }),
  });
const noStack = account({ stack: async () => undefined });
const onEmulator = (fields: Partial<Account>) =>
  account({
    target: {
      ...({ kind: 'local', emulator: 'ministack' } as const),
      ...{ endpointUrl: '', region: 'eu-west-1', stackName, chainId: 31337, rpcUrl: '' },
    },
    ...fields,
  });
const emulator = onEmulator({
  ...{ bootstrapVersion: notAsked, loggingRole: notAsked, concurrentExecutions: notAsked, stack: notAsked },
});

const lowQuotas = {
  concurrentExecutions: async () => 10,
  quotas: async () => [
    { name: 'StartExecution throttle token refill rate per second', code: 'L-1', value: 25 },
    { name: 'StateTransition throttle token refill rate per second', code: 'L-2', value: 800 },
    { name: 'StartExecution throttle token bucket size', code: 'L-3', value: 25 },
  ],
};
const forFunctions = ['requestQuota', 'lambda', 'L-B99A9384', 1_000];
const forStates = ['requestQuota', 'states', 'L-1', 200];

/** A case, what exists, what the step finds, the changes that it makes, and what it finds then. */
type Row = readonly [string, Given, RegExp, (readonly (readonly unknown[])[])?, RegExp?];

const accountRows: Readonly<Record<string, readonly Row[]>> = {
  'CDK bootstrap': [
    [
      'a new account',
      account({ bootstrapVersion: async () => undefined }),
      /^to do/,
      [['bootstrap', environment]],
    ],
    ['a prepared account', {}, /^done: version 30/],
    ['an emulator', emulator, /^done: not needed/],
  ],
  'logging role of API Gateway': [
    ['a new account', account({ loggingRole: async () => undefined }), /^to do/, [['createLoggingRole']]],
    ['a prepared account', {}, /^done: .*role\/api-gateway-logs/],
    ['an emulator', emulator, /^done: not needed/],
  ],
  quotas: [
    [
      ...([
        'a new account',
        account(lowQuotas),
        /^to do: .*1000 concurrent functions, 200 starts a second$/,
      ] as const),
      ...([[forFunctions, forStates], /^done: requested/] as const),
    ],
    ['a prepared account', {}, /^done: high enough/],
    ['requests', account({ ...lowQuotas, hasQuotaRequest: async () => true }), /^done: .*requested/],
    ['an emulator', emulator, /^done: not needed/],
    [
      ...(['no permission to read', account({ quotas: refused('AccessDeniedException') })] as const),
      /^done: not checked: access denied/,
    ],
    [
      ...([
        'no permission to request',
        { ...account(lowQuotas), changes: { requestQuota: refused('AccessDenied') } },
      ] as const),
      ...([/^to do/, [forFunctions], /^done: not checked: access denied/] as const),
    ],
    [
      'too many requests',
      { ...account(lowQuotas), changes: { requestQuota: refused('QuotaExceededException') } },
      ...([/^to do/, [forFunctions], /^done: not checked: QuotaExceededException/] as const),
    ],
    ['no network', account({ quotas: notAsked }), /^error: not asked/],
  ],
};

const changed = environmentWith({ maxFeePerGasGwei: 9 });
const deployed = new FakeDeployment();
deployed.deployedSettings = async () => environment.settings;
const deployStack = ['deployStack', environment];

const deploymentRows: Readonly<Record<string, readonly Row[]>> = {
  stack: [
    ['none', noStack, /^to do: Imprimatur, which takes a few minutes; about 21 USD/, [deployStack]],
    ['a change set that nobody executed', stackIn('REVIEW_IN_PROGRESS'), /^to do: .*minutes/, [deployStack]],
    [
      ...(['a failed first deployment', stackIn('ROLLBACK_COMPLETE'), /^to do: Imprimatur again/] as const),
      [['allowReplacement'], deployStack],
    ],
    [
      ...(['a failed rollback', stackIn('UPDATE_ROLLBACK_FAILED')] as const),
      /^error: .* run aws cloudformation continue-update-rollback --stack-name Imprimatur, and run setup again/,
    ],
    ['the same environment', stackIn('UPDATE_COMPLETE'), /^done: Imprimatur is UPDATE_COMPLETE/],
    ['a rollback', stackIn('UPDATE_ROLLBACK_COMPLETE'), /^done/],
    ...[changed, environmentWith({}, { alarmAddresses: ['ada@example.org'] })].map(
      (one) =>
        [
          ...(['a changed environment', { ...stackIn('UPDATE_COMPLETE'), environment: one }] as const),
          ...([/^to do: .* with the changes/, [['deployStack', one]]] as const),
        ] as const,
    ),
    ['a stack of an older version', {}, /^to do: .* with the changes/, [deployStack]],
    [
      ...(['the same settings on an emulator', onEmulator({ deployment: async () => deployed })] as const),
      /^done: Imprimatur is UPDATE_COMPLETE/,
    ],
    [
      'changed settings on an emulator',
      { ...onEmulator({ deployment: async () => deployed }), environment: changed },
      ...([/^to do: .* with the changes/, [['deployStack', changed]]] as const),
    ],
  ],
  protection: [
    ['none', stackIn('CREATE_COMPLETE'), /^to do: deletion protection/, [['protectStack']]],
    ['protection', {}, /^done: deletion protection/],
    ['no stack', noStack, /^later/],
    ['no need', { environment: environmentWith({}, { deletionProtection: false }) }, /^done: off/],
    ['an emulator', emulator, /^done: not needed/],
  ],
};

const [local] = environment.settings.chains as [(typeof environment.settings.chains)[0]];
const forwarder = forwarderDeployment(registryAddress, payer.address).address;
const chain = { ...local, delegates: [forwarder, 'key' as const], maxFeePerGasGwei: 10, dailyFeeBudget: 0.5 };
const undeployed = { deployment: undefined };

const paying = (coins?: number) => answers({ payer: async () => payer, signerFunds: async () => coins });
const sends = (to: string, fields: object) => [
  ...['send', expect.anything()],
  { from: expect.objectContaining({ address: payer.address }), to, ...fields },
];
const planned = forwarderDeployment(registryAddress, payer.address);
const deploys = sends(create2ProxyAddress, { data: planned.proxyCalldata });
const withoutCode = (...addresses: readonly unknown[]): Given => ({
  chain: { methods: { eth_getCode: ([to]) => (addresses.includes(to) ? '0x' : '0x60') } },
});
const addOperator = encodeFunctionData({
  ...{ abi: delegateForwarderAbi, functionName: 'addOperator', args: [signerAddress] },
});
const urls = ['https://node.example/secret'];
const worst = 'at most 0.5 coins a day and 15 a month';

const chainRows: Readonly<Record<string, readonly Row[]>> = {
  'RPC URLs of Local': [
    ['a parameter', {}, /^done: in the SSM parameter \/Imprimatur\/rpc-urls\/31337/],
    [
      'none',
      { ...account({ parameterType: async () => undefined }), ...answers({ rpcUrls: async () => urls }) },
      ...([
        /^to do: 0 in the SSM parameter \/Imprimatur\/rpc-urls\/31337, encrypted$/,
        [['putRpcUrls', '/Imprimatur/rpc-urls/31337', urls]],
      ] as const),
    ],
  ],
  'contracts on Local': [
    ['both', {}, new RegExp(`^done: .* and the forwarder ${forwarder}`)],
    ['no registry that setup can deploy', { chain: { code: '0x' } }, /^error: there is no registry at 0x/],
    [
      'a forwarder of another admin',
      {
        ...withoutCode(forwarder),
        ...answers({ forwarderAdmin: async () => otherAuthority }),
      },
      /^error: there is no forwarder .* fix forwarderAdmin/,
    ],
    [
      'a missing forwarder',
      { ...withoutCode(forwarder), ...paying() },
      /^to do: DelegateForwarder at/,
      [deploys],
    ],
    [
      'a chain without the CREATE2 proxy',
      { ...withoutCode(forwarder, create2ProxyAddress), ...paying() },
      new RegExp(
        `^waiting: DelegateForwarder at .*; The chain has no CREATE2 proxy at ${create2ProxyAddress}`,
      ),
    ],
  ],
  'funds on Local': [
    ['no deployment', undeployed, new RegExp(`^later: coins for the signing key; ${worst}`)],
    [
      'enough',
      { chain: { balance: parseEther('1') }, ...answers({ payer: notAsked }) },
      /^done: .* 2.0 days/,
    ],
    [
      'no payer',
      {},
      new RegExp(`waiting: .*; Send at least 0.0163 coins to ${signerAddress}.* ${worst}.\n[█▀▄ \n]{500,}$`),
    ],
    ['no coins of the payer', paying(), /^waiting: coins/],
    [
      ...(['too few coins of the payer', paying(0.01)] as const),
      /^error: signerFunds: 0.01 is too little on Local; the signing key needs at least 0.0163/,
    ],
    [
      ...(['too few coins before a deployment', { ...undeployed, ...paying(0.01) }] as const),
      /^error: signerFunds: 0.01 is too little/,
    ],
    [
      'a key in use whose coins run low',
      { chain: { sent: 3, balance: 1n }, ...answers({ payer: notAsked }) },
      /^done: .* has 0.000000000000000001, enough for 0.0 days at worst; send coins to it$/,
    ],
    ['a payer', paying(0.1), /^to do: 0.1/, [sends(signerAddress, { value: parseEther('0.1') })]],
  ],
  'operator on Local': [
    ['no deployment', undeployed, /^later/],
    ['an operator', { chain: { operators: [signerAddress] } }, /^done: .* is an operator/],
    [
      ...(['the admin as payer', { chain: { admin: payer.address }, ...paying() }, /^to do/] as const),
      [sends(forwarder, { data: addOperator })],
    ],
    [
      ...(['another admin', { chain: { admin: otherAuthority }, ...paying() }] as const),
      new RegExp(`^waiting: .* by its admin ${otherAuthority}; (.|\n)*${addOperator}`),
    ],
  ],
};

const steps = [
  ...deploymentSteps,
  ...[rpcUrlsStep(chain), contractsStep(chain), fundsStep(chain), operatorStep(chain)],
];
const cases = Object.entries({ ...accountRows, ...deploymentRows, ...chainRows }).flatMap(([name, rows]) =>
  rows.map((row) => ({ name, row })),
);

test.each(cases)('the step `$name` finds $row.0', async ({ name, row }) => {
  const [, given, first, changes = [], next = /./] = row;
  const step = [...accountSteps(), ...steps].find((one) => one.name === name);
  const found = await lookAndAct(step, given);
  expect(found.first).toMatch(first);
  expect(found.made).toMatchObject(changes);
  expect(found.made).toHaveLength(changes.length);
  expect(found.next).toMatch(next);
});

test('`settled` waits until AWS has ended a deployment that an earlier run started', async () => {
  const statuses = ['CREATE_IN_PROGRESS', 'CREATE_IN_PROGRESS', 'CREATE_COMPLETE'];
  const pauses: number[] = [];
  const { stack } = fakeAccount();
  const view = await settled(
    fakeAccount({ stack: async () => ({ ...(await stack()), status: statuses.shift() ?? '' }) as never }),
    async (milliseconds) => pauses.push(milliseconds),
  );
  expect([view?.status, pauses]).toEqual(['CREATE_COMPLETE', [5_000, 5_000]]);
});

test('the bootstrap names its environment, because the CDK synthesizes the app', async () => {
  const commands: ChildOptions[] = [];
  const run = async (options: ChildOptions) => commands.push(options) > 0;
  const supervisor = { directory: '/setup', run } as unknown as Supervisor;
  const target = { kind: 'cloud', stackName: 'Imprimatur' } as const;
  const place = {
    name: 'trial',
    target,
    environments: '',
    supervisor,
    progress: new Progress({ write: () => {} }),
  };
  await setupChanges(place).bootstrap(environment);
  const { account: id, region } = environment;
  expect(commands[0]?.args.slice(0, 4)).toEqual(['bootstrap', `aws://${id}/${region}`, '-c', 'env=trial']);
});
