import { setTimeout as pause } from 'node:timers/promises';
import { GetKeyPolicyCommand, KMSClient, PutKeyPolicyCommand } from '@aws-sdk/client-kms';
import { beforeAll, expect, test } from 'vitest';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { endpoint } from '../stack/aws.ts';
import { killWorkers } from '../stack/kill-workers.ts';
import { stack } from '../stack/running-stack.ts';
import { type Exercises, prepareExercises } from './exercises.ts';
import { type Grant, type RolePolicy, rolePolicies, wasRefused, without } from './role-grants.ts';

/** With `1`, the tests remove every grant once; with names of functions, all grants of these; otherwise, some. */
const { EVERY_GRANT: every = '' } = process.env;
const isEvery = every !== '';

/** Maximum wait for a refusal in the log, in an attempt. All attempts end before the time limit of a test. */
const waitSeconds = isEvery ? 20 : 80;

/** Number of attempts per grant: on a busy machine, another function may have done the work already. */
const maxTries = 3;

/** Pause before the next attempt with a function whose process was killed. */
const againSeconds = 2;

/** Actions whose result a process caches: only a new process repeats them. */
const isCached = (action: string) => action === 'ssm:GetParameter' || action === 'kms:GetPublicKey';

const policies = await rolePolicies();
let exercises: Exercises;

beforeAll(async () => {
  const links = policies.find(({ id }) => id === 'LinkChild')?.grants.length ?? 0;
  exercises = await prepareExercises(isEvery ? links : 1);
});

async function isRefused(id: string, action: string, tries = maxTries): Promise<boolean> {
  for (let left = tries; left > 0; left--) if (await isRefusedOnce(id, action)) return true;
  return false;
}

async function isRefusedOnce(id: string, action: string): Promise<boolean> {
  const since = Date.now();
  if (isCached(action)) await killWorkers(stack.directory);
  await exercise(id);
  const until = since + waitSeconds * 1000;
  for (let again = since; ; ) {
    if (await wasRefused(id, action, since)) return true;
    if (Date.now() > until) return false;
    await pause(250);
    // The killed process may have received the first call.
    if (!isCached(action) || Date.now() - again < againSeconds * 1000) continue;
    again = Date.now();
    await exercise(id);
  }
}

/** Exercises the grants of a function. A killed process returns no response, or one that is not JSON. */
async function exercise(id: string): Promise<void> {
  try {
    await exercises[id]?.();
  } catch (error) {
    console.log(id, 'returned no response:', error);
  }
}

function granted(id: string, action: string, resource: string): [RolePolicy, Grant] {
  const policy = policies.find((one) => one.id === id);
  const grant = policy?.grants.find((one) => one.action === action && one.resource.includes(resource));
  if (!policy || !grant) throw new Error(`${id} has no ${action} on ${resource}`);
  return [policy, grant];
}

test.skipIf(isEvery).each([
  ['ListAttestations', 'dynamodb:Query', 'TablesAttestations'],
  ['GetAttestation', 'dynamodb:GetItem', 'TablesOrganizations'],
  ['CreateAttestation', 'dynamodb:BatchGetItem', 'TablesLanes'],
  ['CreateAttestation', 'dynamodb:Query', '/index/inFlight'],
  ['CreateAttestation', 'dynamodb:PutItem', 'TablesAttestations'],
  ['LinkChild', 'dynamodb:PutItem', 'TablesQueue'],
  ['ListChains', 'ssm:GetParameter', '/rpc-urls/'],
  ['ListChains', 'kms:GetPublicKey', ':key/'],
  ['Sweep', 'dynamodb:Query', '/index/due'],
  ['AdvanceLane', 'states:SendTaskSuccess', '*'],
])('%s needs %s on %s', async (id, action, resource) => {
  const [policy, grant] = granted(id, action, resource);
  expect(await without(policy, grant, () => isRefused(id, action))).toBe(true);
});

test.skipIf(isEvery)("only the key's policy lets a function sign", async () => {
  const kms = new KMSClient(clientOptions(endpoint));
  const key = { KeyId: stack.outputs.SigningKeyId };
  const { Policy: policy = '' } = await kms.send(new GetKeyPolicyCommand(key));
  const { roleName = '' } = policies.find(({ id }) => id === 'Commit') ?? {};
  expect(policy).toContain(`role/${roleName}"`);
  const Policy = policy.replaceAll(`role/${roleName}"`, 'role/Another"');
  await kms.send(new PutKeyPolicyCommand({ ...key, Policy }));
  try {
    expect(await isRefused('Commit', 'kms:Sign')).toBe(true);
  } finally {
    await kms.send(new PutKeyPolicyCommand({ ...key, Policy: policy }));
    kms.destroy();
  }
});

/** Grants that the emulator does not enforce. The template tests in test/lib/access cover them. */
const isUnenforced = ({ action }: Grant) =>
  action === 'kms:Decrypt' || /:(ListStreams|DescribeStream|GetRecords|GetShardIterator)$/.test(action);

/**
 * Grants that one attestation does not need: for races, repetitions, refusals and former versions, and for providers, without
 * which the chain counts as unreachable. test/lib/access and the tests on fakes cover them.
 */
const unseen: Readonly<Record<string, readonly string[]>> = {
  CreateAttestation: ['dynamodb:DeleteItem Attestations', 'states:DescribeExecution'],
  LinkChild: [
    ...['dynamodb:GetItem Attestations', 'dynamodb:UpdateItem Queue'],
    ...['kms:GetPublicKey', 'ssm:GetParameter'],
  ],
  Commit: [
    ...['dynamodb:DeleteItem Queue', 'dynamodb:UpdateItem Queue', 'ssm:GetParameter'],
    ...['states:SendTaskFailure', 'states:SendTaskSuccess'],
  ],
  Reveal: [
    ...['dynamodb:UpdateItem Queue', 'ssm:GetParameter'],
    ...['states:SendTaskFailure', 'states:SendTaskSuccess'],
  ],
  Confirm: ['ssm:GetParameter'],
  AdvanceLane: [
    ...['dynamodb:GetItem Attestations', 'dynamodb:DeleteItem Lanes', 'ssm:GetParameter'],
    ...['dynamodb:DeleteItem Queue', 'dynamodb:PutItem Queue', 'dynamodb:UpdateItem Queue'],
    ...['states:StartExecution', 'states:DescribeExecution', 'states:SendTaskFailure'],
  ],
  Sweep: [
    ...['dynamodb:DeleteItem Lanes', 'dynamodb:UpdateItem Lanes', 'dynamodb:PutItem Queue'],
    ...['states:StartExecution', 'states:DescribeExecution', 'kms:GetPublicKey'],
    ...['dynamodb:GetItem Attestations', 'dynamodb:UpdateItem Attestations'],
  ],
};

/** `dynamodb:GetItem Lanes`, or only the action if the resource is not a table. */
function nameOf({ action, resource }: Grant): string {
  const [, table] = /Tables([A-Z][a-z]+)/.exec(resource) ?? [];
  return table === undefined ? action : `${action} ${table}`;
}

/** Functions to check, each in its own test: all of them take half an hour. */
const checkedFunctions =
  every === '1' ? policies.map(({ id }) => id) : every.split(' ').filter((id) => id !== '');

/** Maximum time for all grants of a function, in milliseconds. */
const longestOfAll = 3_600_000;

test.skipIf(!isEvery).each(checkedFunctions)(
  '%s needs every grant that the emulator enforces',
  async (id) => {
    const policy = policies.find((one) => one.id === id);
    if (!policy) throw new Error(`no function ${id} has a role that allows anything`);
    const needless: string[] = [];
    for (const grant of policy.grants.filter((one) => !isUnenforced(one))) {
      const tries = unseen[id]?.includes(nameOf(grant)) ? 1 : maxTries;
      const refused = await without(policy, grant, () => isRefused(id, grant.action, tries));
      console.log(refused ? 'refused ' : 'not seen', id, nameOf(grant));
      if (!refused && tries > 1) needless.push(nameOf(grant));
    }
    expect(needless).toEqual([]);
  },
  longestOfAll,
);

test('the exercises cover every function whose role has grants', () => {
  expect(policies.map(({ id }) => id).sort()).toEqual(Object.keys(exercises).sort());
});
