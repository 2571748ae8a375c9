import { expect, test } from 'vitest';
import type { Account } from '../../../admin/account/connect-account.ts';
import { pauseLane } from '../../../functions/domain/operator/lane-control.ts';
import { usageRecord } from '../../../functions/domain/organization/daily-usage.ts';
import { feeUsageRecord } from '../../../functions/domain/organization/fee-usage.ts';
import { createOrganization } from '../../../functions/domain/organization/organization.ts';
import type { Records } from '../../../functions/domain/records.ts';
import { operatorAccess } from '../../../lib/access/operator-access.ts';
import { startCommit } from '../../fakes/world/steps.ts';
import { alice, chainId } from '../../fakes/world/world.ts';
import { awsError, fakeAccount } from './doctor/fake-account.ts';
import { type Run, runOn, withAccess } from './fake-deployment.ts';
import { WorldDeployment } from './world-deployment.ts';

function runStatus(
  deployment: WorldDeployment,
  argv: readonly string[] = [],
  given: Partial<Account> = {},
  terminal: Partial<Parameters<typeof runOn>[1]> = {},
): Promise<Run> {
  const account = fakeAccount(given, withAccess(operatorAccess, deployment));
  return runOn(['status', ...argv], {
    readTarget: () => account.target,
    connect: () => account.deployment(),
    connectAccount: () => account,
    ...terminal,
  });
}

function funded(given: ConstructorParameters<typeof WorldDeployment>[0] = {}): WorldDeployment {
  const deployment = new WorldDeployment(given);
  deployment.world.chain.setBalance(deployment.world.signer.address, 10n ** 21n);
  return deployment;
}

test('`status` of a healthy deployment reports that nothing needs attention', async () => {
  const deployment = funded();
  await startCommit(deployment.world, alice);
  const { exitCode, out, error } = await runStatus(deployment);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  expect(out).toMatch(/^Imprimatur at \S+ \S+ UTC\n\nNothing needs attention\.\n\nAlarms: none is up\.\n/);
  expect(out).toMatch(
    /^UNFINISHED +COUNT +OLDEST\npending +1 +0 s\n1 in all. The oldest is \S+ of \S+: pending, 0 s\.$/m,
  );
  expect(out).toMatch(
    new RegExp(`^${chainId} \\w+ +0x\\w{4}…\\w{4} +1000 +\\d+ days +\\S+ of \\S+ +the next block$`, 'm'),
  );
  expect(out).toContain('Spending: none this month.');
});

test('`status` first lists what needs attention', async () => {
  const deployment = funded();
  const { world } = deployment;
  await startCommit(world, alice);
  await pauseLane(world.services, world.lane, 'key under\ninvestigation');
  world.chain.setBalance(world.signer.address, 1n);
  world.clock.advance(3_600 + 3 * 3_600);
  const up = { name: 'LanePaused', since: new Date(0), runbook: 'docs/runbook.md#lanepaused' };
  const { exitCode, out } = await runStatus(deployment, [], { alarms: async () => [up] });
  expect(exitCode).toBe(0);
  const lane = `chain ${chainId} \\(\\w+\\), signer ${world.signer.address}`;
  expect(out).toMatch(
    new RegExp(
      '^4 things need attention:\n- the alarm LanePaused is up: docs/runbook.md#lanepaused\n' +
        `- ${lane}: paused: key under.*investigation\n- ${lane}: the balance may last only 0.0 days\n` +
        '- unfinished for more than an hour beyond finality: 1, the oldest \\S+$',
      'm',
    ),
  );
  expect(out).toMatch(/^ALARM +UP SINCE\nLanePaused +1970-01-01T00:00:00.000Z$/m);
});

test('`status` shows one line for each part that it cannot read, and the rest', async () => {
  const deployment = funded();
  await startCommit(deployment.world, alice);
  deployment.world.chain.unreachable = true;
  const denied = () => Promise.reject(awsError('AccessDenied'));
  const { exitCode, out } = await runStatus(deployment, [], { alarms: denied });
  expect(exitCode).toBe(0);
  expect(out).toContain('Alarms: access to cloudwatch:DescribeAlarms denied\n');
  expect(out).toMatch(/^2 things need attention:\n- chain .*: chain unreachable\n- access to cloudwatch/m);
  expect(out).toMatch(/^UNFINISHED +COUNT /m);
  const getAll: Records['getAll'] = () => denied();
  deployment.world.records.getAll = getAll;
  const unread = await runStatus(deployment, []);
  expect(unread.out).toContain("Unfinished: access to reads of the stack's tables denied");
});

test('`status` reports that nothing needs attention on an emulator without alarms', async () => {
  const { out } = await runStatus(funded(), [], {
    target: {
      kind: 'local',
      emulator: 'ministack',
      ...{ endpointUrl: 'http://127.0.0.1:4566', region: 'eu-west-1', stackName: 'Imprimatur' },
      ...{ chainId, rpcUrl: 'http://127.0.0.1:8545' },
    },
    alarms: () => Promise.reject(awsError('UnknownOperation')),
  });
  expect(out).toContain('Nothing needs attention.');
  expect(out).toContain('Alarms: not available; the emulator does not support cloudwatch:DescribeAlarms');
});

test('`status` sums the usage of organizations today and this month, in one read', async () => {
  const deployment = funded();
  const { records, clock } = deployment.world;
  clock.advance(9 * 86_400);
  const now = clock.now().toISOString();
  const first = `${now.slice(0, 8)}01`;
  const earlier = new Date(Date.parse(first) - 86_400_000).toISOString();
  const { organizationId: id, authorityAddress } = alice;
  await createOrganization(records, {
    id,
    name: 'Herald',
    authorityAddress,
    defaultChainId: null,
    createdAt: now,
  });
  const days = [earlier, first, now];
  for (const day of days) {
    await records.update({ key: usageRecord(id, day), set: {}, add: { accepted: 2, links: 1 } });
    await records.update({ key: feeUsageRecord(id, chainId, day), set: {}, add: { gwei: 500_000 } });
  }
  const read: number[] = [];
  const getAll = records.getAll.bind(records);
  records.getAll = (keys) => {
    read.push(keys.length);
    return getAll(keys);
  };
  const { usage } = JSON.parse((await runStatus(deployment, ['--json'])).out);
  const fees = (times: number) => ({ [chainId]: String(BigInt(times) * 500_000n * 10n ** 9n) });
  expect(usage.value).toEqual([
    {
      ...{ id, name: 'Herald' },
      today: { accepted: 2, links: 1, fees: fees(1) },
      month: { accepted: 4, links: 2, fees: fees(2) },
    },
  ]);
  expect(read).toEqual([2 * clock.now().getUTCDate()]);
  expect((await runStatus(deployment)).out).toMatch(/^Herald +2 +4 +0.0005 on \d+ +0.001 on \d+$/m);
});

test('`status --watch` repeats until it is interrupted, also after a failure', async () => {
  const deployment = funded();
  let [left, connections] = [2, 0];
  const pauses: number[] = [];
  const pause = async (seconds: number) => {
    pauses.push(seconds);
    return left-- > 0;
  };
  const flaky: Partial<Account> = {
    deployment: async () => {
      connections += 1;
      if (connections === 2) throw new Error('a pause of the network');
      return deployment;
    },
  };
  const { exitCode, out, error } = await runStatus(deployment, ['--watch', '--json'], flaky, { pause });
  expect(exitCode).toBe(0);
  expect(pauses).toEqual([10, 10, 10]);
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { attention: [] },
    { error: expect.stringContaining('network') },
    { attention: [] },
  ]);
  expect(error).toContain('a pause of the network');
});

test('`status --watch` clears a terminal, and ends each report with an empty line elsewhere', async () => {
  const watch = async (isTerminal: boolean) =>
    (await runStatus(funded(), ['--watch'], {}, { isTerminal })).out;
  expect((await watch(true)).startsWith('\x1b[H\x1b[2J\x1b[3JImprimatur at ')).toBe(true);
  expect(await watch(false)).toMatch(/^Imprimatur at .*\n\n$/s);
});
