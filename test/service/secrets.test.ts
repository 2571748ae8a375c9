import { readFileSync } from 'node:fs';
import { GetExecutionHistoryCommand, ListExecutionsCommand } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { findAttestation } from '../../functions/domain/attestation-rows.ts';
import { logsCall, records, states } from './aws.ts';
import { revokeDelegation } from './chain.ts';
import { newPublisher } from './publisher.ts';
import { stack } from './running-stack.ts';

/** Every line that every function of the stack has logged so far. */
async function functionLogs(): Promise<string> {
  const { logGroups } = (await logsCall('DescribeLogGroups', {})) as {
    logGroups: { logGroupName: string }[];
  };
  const groups = await Promise.all(
    logGroups.map(({ logGroupName }) => logsCall('FilterLogEvents', { logGroupName, limit: 10_000 })),
  );
  return JSON.stringify(groups);
}

/** The whole history of every execution of both state machines. */
async function executionHistories(): Promise<string> {
  const machines = [stack.outputs.AttestStateMachineArn, stack.outputs.LaneStateMachineArn];
  const listed = await Promise.all(
    machines.map((stateMachineArn) =>
      states.send(new ListExecutionsCommand({ stateMachineArn, maxResults: 1000 })),
    ),
  );
  const arns = listed.flatMap(({ executions }) => executions ?? []).map(({ executionArn }) => executionArn);
  const histories = await Promise.all(
    arns.map((executionArn) =>
      states.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 })),
    ),
  );
  return JSON.stringify(histories);
}

test('no content, metadata, salt, key or RPC URL is in any log or execution history', async () => {
  const publisher = await newPublisher();
  const { api, organizationId, apiKey } = publisher;
  const marker = `secret-${crypto.randomUUID()}`;
  const { body } = await api.create({
    content: `${marker} to be confirmed`,
    metadata: { note: `${marker} note` },
  });
  const { commitTxHash } = await api.until(body.id, ({ status }) => status === 'confirmed');
  const failing = (await api.create({ content: `${marker} to fail` })).body;
  await api.until(failing.id, ({ status }) => status === 'committed');
  await revokeDelegation(publisher.authority);
  await api.until(failing.id, ({ status }) => status === 'failed');
  await api.create({ content: `${marker} to be refused`, url: 'not a url' });

  const rows = await Promise.all(
    [body.id, failing.id].map((id) => findAttestation(records, { organizationId, id: String(id) })),
  );
  const salts = rows.map((row) => String(row?.salt).slice(2));
  const [logs, histories] = await Promise.all([functionLogs(), executionHistories()]);
  const emulator = readFileSync(`${stack.directory}/emulator.log`, 'utf8');
  // Not empty for the wrong reason: each does know the attestation.
  expect([logs.includes(String(commitTxHash)), histories.includes(String(body.id))]).toEqual([true, true]);
  for (const secret of [marker, apiKey, stack.rpcUrl, ...salts]) {
    expect(secret.length).toBeGreaterThan(10);
    expect([logs, histories, emulator].map((place) => place.includes(secret))).toEqual([false, false, false]);
  }
});
