import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { forwarderDeployment } from 'imprimatur-contracts/deploy/forwarder-deployment';
import { Progress } from 'imprimatur-terminal/progress';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAccount } from '../../admin/account/connect-account.ts';
import { connect } from '../../admin/deployment/connect.ts';
import { readTarget } from '../../admin/deployment/target.ts';
import { answersOf } from '../../admin/setup/answers.ts';
import { type Changes, setupChanges } from '../../admin/setup/changes.ts';
import { setUp } from '../../admin/setup/setup.ts';
import { listApiKeys } from '../../functions/domain/organization/api-keys.ts';
import { listOrganizations } from '../../functions/domain/organization/organization.ts';
import { Supervisor } from '../../local/process/supervise.ts';
import { stackFilePath } from '../../local/stack/stack-file.ts';
import { fund, publicClient } from './stack/chain.ts';
import { stack } from './stack/running-stack.ts';

const folder = mkdtempSync(`${tmpdir()}/imprimatur-setup-`);
const environments = `${folder}/environments`;
const name = 'trial';
const target = readTarget({ stackFile: stackFilePath(stack.directory) });
const own = { ...target, stackName: `Imprimatur-${name}` };
const [payerKey, authorityKey] = [generatePrivateKey(), generatePrivateKey()];
const [payer, authority] = [privateKeyToAccount(payerKey), privateKeyToAccount(authorityKey)];

beforeAll(async () => {
  mkdirSync(environments);
  writeFileSync(`${folder}/payer.key`, payerKey);
  writeFileSync(`${folder}/authority.key`, authorityKey);
  const answers = {
    ...{ chains: [stack.chainId], payerKeyFile: `${folder}/payer.key`, signerFunds: 0.1 },
    organization: { name: 'The Daily', authority: authority.address },
    authorityKeyFile: `${folder}/authority.key`,
  };
  writeFileSync(`${folder}/answers.json`, JSON.stringify(answers));
  await fund(payer.address);
  await fund(authority.address);
});
afterAll(() => rmSync(folder, { recursive: true }));

class Killed extends Error {}

/** The changes of all runs, in order. */
const made: string[] = [];

/** Gives the environment the registry of the tests' chain, which has a short delay. */
function withShortDelay(contents: object): object {
  const { settings, ...others } = contents as { settings: { chains: object[] } };
  const { registryAddress, revealDelaySeconds } = stack;
  const delegates = [forwarderDeployment(registryAddress, payer.address).address, 'key'];
  const registry = { registryAddress, revealDelaySeconds, delegates };
  return {
    ...others,
    settings: { ...settings, chains: settings.chains.map((chain) => ({ ...chain, ...registry })) },
  };
}

/** Kills a deployment as soon as CloudFormation knows the stack. */
async function killDeployment(supervisor: Supervisor, deployment: Promise<void>): Promise<void> {
  let hasEnded = false;
  const ended = deployment
    .catch(() => {})
    .finally(() => {
      hasEnded = true;
    });
  const { stack: find } = connectAccount(own);
  while (!hasEnded && !(await find()));
  await supervisor.stop();
  await ended;
}

/** Changes that kill the run after they are made. The first deployment is killed before it ends. */
const fatalChanges: typeof setupChanges = (place) => {
  const changes: Changes = setupChanges(place);
  const fatal = Object.entries(changes).map(([change, make]) => {
    const makeAndDie = async (...[first, ...others]: unknown[]) => {
      const isRepeated = made.includes(change);
      made.push(change);
      const argument = change === 'writeEnvironment' ? withShortDelay(first as object) : first;
      const making = (make as (...args: unknown[]) => Promise<void>)(argument, ...others);
      await (change === 'deployStack' && !isRepeated ? killDeployment(place.supervisor, making) : making);
      throw new Killed();
    };
    return [change, makeAndDie];
  });
  return Object.fromEntries(fatal);
};

/** Runs `setup --yes --answers`. @returns its result; `undefined` if it was killed */
async function run() {
  const supervisor = await Supervisor.open(`${folder}/run`);
  const progress = new Progress({ write: () => {} });
  const answers = answersOf(`${folder}/answers.json`);
  const tools = { answers, progress, supervisor, environments, connectAccount, makeChanges: fatalChanges };
  try {
    return await setUp(target, { env: name, yes: true }, tools);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return undefined;
  } finally {
    progress.end();
    await supervisor.stop();
  }
}

test('setup completes even if it is killed after each change, and changes nothing twice', async () => {
  let result = await run();
  while (result === undefined) result = await run();
  // A deployment may end before it is killed. Then it is not repeated.
  const isSecondDeployment = (change: string, position: number) =>
    change === 'deployStack' && position === made.indexOf(change) + 1;
  expect(made.filter((change, position) => !isSecondDeployment(change, position))).toEqual([
    ...['writeEnvironment', 'putRpcUrls', 'send', 'deployStack'],
    ...['send', 'send', 'createOrganization', 'createKey', 'send', 'attest'],
  ]);
  expect(result.json).toMatchObject({
    complete: true,
    reference: expect.stringContaining(authority.address),
  });
  const { records } = await connect(own);
  const organizations = await listOrganizations(records);
  expect(organizations).toMatchObject([{ name: 'The Daily', authorityAddress: authority.address }]);
  const [{ id } = { id: '' }] = organizations;
  expect(await listApiKeys(records, id)).toHaveLength(1);
  expect(await publicClient.getTransactionCount({ address: payer.address })).toBe(3);
  expect(await publicClient.getTransactionCount({ address: authority.address })).toBe(1);
  const key = readFileSync(`${folder}/run/api-key`, 'utf8').trim();
  expect(JSON.stringify(result)).not.toContain(key);
});
