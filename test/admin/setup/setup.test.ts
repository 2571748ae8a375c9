import { readFileSync, writeFileSync } from 'node:fs';
import { Progress } from 'imprimatur-terminal/progress';
import type { Hex } from 'viem';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Account } from '../../../admin/account/connect-account.ts';
import { operatorErrorLine } from '../../../admin/error-line.ts';
import { answersOf } from '../../../admin/setup/answers.ts';
import { sendOnce } from '../../../admin/setup/chain.ts';
import { doSteps } from '../../../admin/setup/run-steps.ts';
import { setUp } from '../../../admin/setup/setup.ts';
import { done, type Finding } from '../../../admin/setup/step.ts';
import { UsageInvalidError } from '../../../admin/terminal/errors.ts';
import { environmentDigest } from '../../../lib/environment/environment.ts';
import { namesIn } from '../../../lib/environment/read-environment.ts';
import type { Supervisor } from '../../../local/process/supervise.ts';
import { answeringServer } from '../../fakes/rpc/answering-server.ts';
import { RpcServer } from '../../fakes/rpc/rpc-server.ts';
import { fakeAccount } from '../commands/doctor/fake-account.ts';
import {
  authority,
  FakeDeployment,
  registryAddress,
  runOn,
  signerAddress,
} from '../commands/fake-deployment.ts';
import { answerRpc, environmentWith, fakeSetup, recordedChanges, temporaryFolder } from './fake-setup.ts';

const payerKey = '11'.repeat(32);
/** Everything that the runs of this file print, and what they must not. */
const printed: string[] = [];
const secrets = new Set([payerKey, 'secret-key']);

afterAll(() => {
  expect(printed.length).toBeGreaterThan(10);
  for (const secret of secrets) expect(printed.filter((text) => text.includes(secret))).toEqual([]);
});

const empty: Partial<Account> = {
  ...{ bootstrapVersion: async () => undefined, stack: async () => undefined },
  ...{ loggingRole: async () => undefined, parameterType: async () => undefined },
};

interface Given {
  readonly account?: Partial<Account>;
  /** Code of all contracts. */
  readonly code?: Hex;
  /** Fields of the environment's file, if it has one. */
  readonly environment?: object;
  readonly name?: string;
  readonly answers?: object;
  readonly options?: { readonly plan?: true; readonly yes?: true };
}

/** Runs `setup --env trial` with answers from a file. */
async function run(given: Given) {
  const { account, code = '0x60', environment, name = 'trial', answers, options = { yes: true } } = given;
  const directory = temporaryFolder();
  const environments = `${directory}/environments`;
  const rpc = new RpcServer(({ method, params }) => ({ result: answerRpc({ code }, method, params) }));
  onTestFinished(() => rpc.stop());
  const url = await rpc.start();
  writeFileSync(`${directory}/urls`, url);
  writeFileSync(`${directory}/payer.key`, payerKey);
  if (environment) writeFileSync(`${environments}/${name}.json`, JSON.stringify(environment));
  const usual = {
    ...{ chains: [31337], rpcUrlFiles: { 31337: `${directory}/urls` }, delegate: 'key' },
    organization: { name: 'The Daily', authority },
  };
  writeFileSync(`${directory}/answers`, JSON.stringify({ ...usual, ...answers }));
  const made: [string, ...unknown[]][] = [];
  const { settings } = environmentWith();
  const deployment = new FakeDeployment();
  deployment.deployedSettings = async () => settings;
  const target = { kind: 'cloud', stackName: 'Imprimatur' } as const;
  const progress = new Progress({ write: (text) => printed.push(text) });
  const tools = {
    answers: answersOf(`${directory}/answers`),
    ...{ progress, supervisor: { directory } as Supervisor, environments },
    connectAccount: () =>
      fakeAccount({ providers: async () => ({ urls: [url], advice: '' }), ...account }, deployment),
    makeChanges: recordedChanges(made, { send: (chain, payment) => sendOnce(chain, payment, progress) }),
  };
  const result = await setUp(target, { env: 'trial', ...options }, tools).catch((error: Error) => error);
  const error = result instanceof Error ? operatorErrorLine(result, target) : '';
  // The program prints an error's line only.
  printed.push(error || JSON.stringify(result));
  const names = made.map(([name]) => name);
  if (names.includes('createKey')) secrets.add(readFileSync(`${directory}/api-key`, 'utf8').trim());
  return { result, error, names, environments, isUsage: result instanceof UsageInvalidError };
}

const waiting: Finding = { state: 'waiting', text: 'coins', instructions: 'Send coins.' };

/** The environment of the deployment. */
const deployed = environmentWith();

const deployedStack = (outputs: object) => async () =>
  ({
    ...(await fakeAccount().stack()),
    outputs: { ...outputs, EnvironmentDigest: environmentDigest(deployed) },
  }) as never;

test.each([
  ['`--plan`, even with `--yes`,', { plan: true, yes: true }],
  ['a confirmation that is declined', {}],
] as const)('setup with %s changes nothing, and ends with exit code 3', async (_, options) => {
  const { result, names, environments } = await run({ account: empty, code: '0x', options });
  expect(result).toMatchObject({ exitCode: 3, json: { complete: false, apiUrl: null } });
  expect([names, namesIn(environments)]).toEqual([[], []]);
  expect(printed.join('')).toMatch(/^Target: AWS account 111122223333 in eu-west-1, stack Imprimatur\.$/m);
  expect(printed.join('')).toMatch(/stack +to do +Imprimatur, which takes a few minutes +about 21 USD/);
});

test('setup with `--yes` ends with exit code 3 and all instructions if others have to act, and does not attest', async () => {
  const url = await answeringServer(() => ({ body: '{"attestations":[]}' }));
  const stack = deployedStack({ ApiUrl: `${url}/live` });
  const { result, names } = await run({ account: { stack }, environment: deployed });
  expect(names).toEqual(['createOrganization', 'createKey']);
  const steps = expect.arrayContaining([
    expect.objectContaining({ name: 'first attestation', state: 'to do' }),
  ]);
  expect(result).toMatchObject({ exitCode: 3, json: { complete: false, apiUrl: `${url}/live`, steps } });
  const { text } = result as { text: string };
  expect(text).toContain(`funds on Local: Send at least 0.326 coins to ${signerAddress} on Local.`);
  expect(text).toContain(
    `delegation on Local: From ${authority}, call delegate(${signerAddress}) on ${registryAddress}`,
  );
  expect(text).toMatch(/\n4 steps remain. Run setup again to continue.$/);
});

test('setup repeats the check of a waiting step after an error, and prints the same error once', async () => {
  const errors = [
    new Error('a'),
    new Error('at https://node.example/secret-key'),
    new Error('at https://a.example'),
  ];
  const findings = [waiting, ...errors, waiting, done('it exists')];
  const look = async () => {
    const finding = findings.shift();
    if (finding instanceof Error) throw finding;
    return finding as Finding;
  };
  const lines: string[] = [];
  const progress = new Progress({ write: (text) => lines.push(text) });
  const run = { progress, waits: true, pause: async () => {} };
  const found = await doSteps([{ name: 'coins', look }], fakeSetup().setup, run);
  expect(found).toEqual([{ name: 'coins', finding: done('it exists') }]);
  printed.push(...lines);
  expect(lines.filter((line) => line.includes('the check failed'))).toEqual([
    'coins: the check failed, and setup repeats it: Error: a\n',
    'coins: the check failed, and setup repeats it: Error: at <url>\n',
  ]);
});

test.each([
  ['chains', { chains: undefined }],
  ['rpcUrlFiles.31337', { rpcUrlFiles: {} }],
  ['organization', { organization: undefined }],
  ['forwarderAdmin or payerKeyFile', { delegate: 'forwarder' }],
])('setup without the answer %s names it, and changes nothing', async (name, answers) => {
  const { isUsage, error, names } = await run({ account: empty, code: '0x', answers });
  expect([isUsage, error, names]).toEqual([true, expect.stringContaining(name), []]);
});

test('setup reports in one line that the answers make no valid environment', async () => {
  const { isUsage, error, names } = await run({ account: empty, answers: { alarmAddresses: ['ada'] } });
  expect([isUsage, names]).toEqual([true, []]);
  expect(error).toBe(
    'the answers make no valid environment: alarmAddresses.0: must be an email address, or an https URL',
  );
});

test('setup chooses another stack name for a second environment in the same account and Region', async () => {
  const { result } = await run({
    ...{ account: empty, code: '0x', environment: deployed, name: 'production', options: { plan: true } },
  });
  const text = 'environments/trial.json: stack Imprimatur-trial in 111122223333, eu-west-1, on Chain 31337';
  const steps = expect.arrayContaining([{ name: 'environment file', state: 'to do', text }]);
  expect(result).toMatchObject({ exitCode: 3, json: { steps } });
});

test('setup refuses the credentials of another account', async () => {
  const { isUsage, error } = await run({ environment: { ...deployed, account: '999900001111' } });
  expect([isUsage, error]).toEqual([
    ...[
      true,
      expect.stringMatching(
        /are for 111122223333 in eu-west-1, but .* in 999900001111 in eu-west-1; set AWS/,
      ),
    ],
  ]);
});

test('the printed error of a payment contains no secrets', async () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/key`, payerKey);
  const { result, error } = await run({
    ...{ account: { stack: deployedStack({}) }, environment: deployed },
    ...{ answers: { payerKeyFile: `${folder}/key`, signerFunds: 1 } },
  });
  expect(String((result as Error).cause)).toContain('/secret-key');
  expect(error).toMatch(
    /^the transaction of 0x\w{40} to 0x\w{40} on chain 31337 failed: HTTP request failed. fetch failed$/,
  );
});

test('a file of answers that does not exist is wrong usage', async () => {
  const { exitCode, error, out } = await runOn(['setup', '--env', 'x', '--answers', '/none.json', '--json'], {
    readTarget: () => ({ kind: 'cloud', stackName: 'Imprimatur' }),
    connect: () => Promise.reject(new Error('not asked')),
    connectAccount: () => fakeAccount(),
  });
  printed.push(error, out);
  expect([exitCode, error]).toEqual([
    2,
    expect.stringMatching(/^admin: \/none.json: cannot be read as JSON: .*\n$/),
  ]);
});

test('setup refuses to change a stack whose environment file is missing', async () => {
  const { error } = await run({ account: {}, code: '0x' });
  expect(error).toMatch(
    /^the stack Imprimatur exists, but environments\/trial\.json does not; restore the file/,
  );
});
