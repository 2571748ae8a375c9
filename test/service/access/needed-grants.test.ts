import { setTimeout as pause } from 'node:timers/promises';
import { GetKeyPolicyCommand, KMSClient, PutKeyPolicyCommand } from '@aws-sdk/client-kms';
import { beforeAll, expect, test } from 'vitest';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { endpoint } from '../stack/aws.ts';
import { killWorkers } from '../stack/kill-workers.ts';
import { stack } from '../stack/running-stack.ts';
import { type Exercises, prepareExercises } from './exercises.ts';
import { type Grant, type RolePolicy, rolePolicies, wasRefused, without } from './role-grants.ts';

/**
 * With `npm run rehearse -- access` every grant is taken away once, or those of the functions that it names; otherwise one of
 * each kind.
 */
const { EVERY_GRANT: every = '' } = process.env;
const isEvery = every !== '';

/** Longest wait for a refusal: steps of an attestation take their time, and lines of the log on a busy machine. */
const waitSeconds = 20;

/** Times that a function is made to do what it may not: on a busy machine another may have done it before. */
const maxTries = 3;

/** Pause before a function whose process was killed is made to do it again: what it is given to do is work for all others. */
const againSeconds = 2;

/** What a function asks for once and keeps: only a new process asks again. */
const isKept = (action: string) => action === 'ssm:GetParameter' || action === 'kms:GetPublicKey';

const policies = await rolePolicies();
let exercises: Exercises;

beforeAll(async () => {
  const links = policies.find(({ id }) => id === 'LinkChild')?.grants.length ?? 0;
  exercises = await prepareExercises(isEvery ? links : 1);
});

async function isRefused(id: string, action: string, tries = 1): Promise<boolean> {
  for (let left = tries; left > 0; left--) if (await isRefusedOnce(id, action)) return true;
  return false;
}

async function isRefusedOnce(id: string, action: string): Promise<boolean> {
  const since = Date.now();
  if (isKept(action)) killWorkers(stack.directory);
  await exercise(id);
  const until = since + waitSeconds * 1000;
  for (let again = since; ; ) {
    if (await wasRefused(id, action, since)) return true;
    if (Date.now() > until) return false;
    await pause(250);
    // The first call may still have met a process that was killed.
    if (!isKept(action) || Date.now() - again < againSeconds * 1000) continue;
    again = Date.now();
    await exercise(id);
  }
}

/** Does what needs the grants of a function. What meets a process that was killed has no answer, or one that is no JSON. */
async function exercise(id: string): Promise<void> {
  try {
    await exercises[id]?.();
  } catch (error) {
    console.log(id, 'was not answered:', error);
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
  ['CreateAttestation', 'states:StartExecution', '-attest'],
  ['LinkChild', 'dynamodb:PutItem', 'TablesQueue'],
  ['ListChains', 'ssm:GetParameter', '/rpc-urls/'],
  ['ListChains', 'kms:GetPublicKey', ':key/'],
  ['Sweep', 'dynamodb:Query', '/index/due'],
  ['AdvanceLane', 'states:SendTaskSuccess', '*'],
])('%s is refused what it does without %s on %s', async (id, action, resource) => {
  const [policy, grant] = granted(id, action, resource);
  expect(await without(policy, grant, () => isRefused(id, action))).toBe(true);
});

test.skipIf(isEvery)("a function signs by the key's policy alone", async () => {
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

/** Grants that the emulator does not look at, held by the template tests of test/lib/access. */
const isUnenforced = ({ action }: Grant) =>
  action === 'kms:Decrypt' || /:(ListStreams|DescribeStream|GetRecords|GetShardIterator)$/.test(action);

/**
 * Grants whose lack one life of an attestation does not show: of races, repeats, refusals and former versions, and of
 * providers, whose lack is told as a chain that cannot be reached. test/lib/access and the simulated worlds hold them.
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

/** `dynamodb:GetItem Lanes`, or the action alone on what is no table. */
function nameOf({ action, resource }: Grant): string {
  const [, table] = /Tables([A-Z][a-z]+)/.exec(resource) ?? [];
  return table === undefined ? action : `${action} ${table}`;
}

/** The functions that are asked for; all of them at once take half an hour, so each is a test of its own. */
const chosen = every === '1' ? policies.map(({ id }) => id) : every.split(' ').filter((id) => id !== '');

/** Time for all grants of a function, in milliseconds, if each is waited for at every try on a busy machine. */
const longestOfAll = 3_600_000;

test.skipIf(!isEvery).each(chosen)(
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

test('every function whose role allows anything is exercised', () => {
  expect(policies.map(({ id }) => id).sort()).toEqual(Object.keys(exercises).sort());
});
