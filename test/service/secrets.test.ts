import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findAttestation } from '../../functions/domain/attestation/attestation-records.ts';
import { records } from './stack/aws.ts';
import { mineRevocation, mineUntilCommitted, withoutBlocks } from './stack/blocks.ts';
import { delegate } from './stack/chain.ts';
import { type Answer, HttpClient } from './stack/http-client.ts';
import { allLogs, histories } from './stack/logs-and-histories.ts';
import { newPublisher, type Publisher } from './stack/publisher.ts';
import { receiveEvents, waitForEvents } from './stack/receiver.ts';
import { stack } from './stack/running-stack.ts';

const marker = `secret-${crypto.randomUUID()}`;

/** Runs confirmed, failed, linked and rejected requests. @returns all responses */
async function fullRun(publisher: Publisher): Promise<Answer[]> {
  const { api, apiKey, authority } = publisher;
  const posted = await api.create({ content: `${marker} confirmed`, metadata: { note: `${marker} note` } });
  await api.until(posted.body.id, ({ status }) => status === 'confirmed');
  const [doomed, child] = await withoutBlocks(async () => {
    const doomed = await api.create({ content: `${marker} to fail` });
    const child = await api.link(posted.body.id, doomed.body.id);
    await mineUntilCommitted(publisher, doomed.body.id);
    await mineRevocation(authority);
    return [doomed, child] as const;
  });
  await api.until(doomed.body.id, ({ status }) => status === 'failed');
  const refused = await api.create({ content: `${marker} refused` });
  await delegate(authority);
  const malformed = [
    await api.create({ content: `${marker} bad url`, url: `${marker} url` }),
    await api.create({ content: `${marker} bad name`, metadata: `${marker} note` }),
    await api.create(`{"content":"${marker} cut off`),
    await new HttpClient(`${apiKey}x`).create({ content: `${marker} nobody's` }),
    await api.send('GET', `/v1/attestations?cursor=${apiKey}`),
    await api.send('GET', `/v1/attestations?apiKey=${apiKey}`),
  ];
  const shown = [await api.get(posted.body.id), await api.get(doomed.body.id), await api.list()];
  return [posted, doomed, child, refused, ...malformed, ...shown];
}

async function saltsOf({ organizationId }: Publisher, ids: readonly unknown[]): Promise<string[]> {
  const rows = await Promise.all(
    ids.map((id) => findAttestation(records, { organizationId, id: String(id) })),
  );
  return rows.map((row) => String(row?.salt).slice(2));
}

test('responses, logs, execution histories and templates contain no secret', async () => {
  const publisher = await newPublisher();
  const { secret, received } = await receiveEvents(publisher);
  const answers = await fullRun(publisher);
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toEqual([202, 202, 202, 409, 400, 400, 400, 401, 400, 200, 200, 200, 200]);
  const ids = answers.slice(0, 2).map(({ body }) => body.id);
  const [confirmed, failed] = ids;
  await waitForEvents(received, [`attestation.confirmed ${confirmed}`, `attestation.failed ${failed}`]);
  const [{ text: logs }, history] = await Promise.all([allLogs(), histories(ids)]);
  const templates = globSync(`${stack.directory}/cdk.out/*.template.json`).map((path) =>
    readFileSync(path, 'utf8'),
  );
  const places = {
    answers: JSON.stringify(answers.map(({ text, headers }) => [text, [...headers]])),
    ...{ logs, history, templates: templates.join() },
    emulator: readFileSync(`${stack.directory}/emulator.log`, 'utf8'),
  };
  const { commitTxHash } = answers.at(-3)?.body ?? {};
  expect(places.logs).toContain(String(commitTxHash));
  expect(places.templates).toContain('AWS::StepFunctions::StateMachine');
  for (const id of ids) expect(places.history).toContain(String(id));
  const salts = await saltsOf(publisher, ids);
  const secrets = [marker, publisher.apiKey, stack.rpcUrl, secret.slice('whsec_'.length), ...salts];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10);
    const found = Object.entries(places).filter(([, text]) => text.includes(secret));
    expect(found.map(([place]) => place)).toEqual([]);
  }
});

test('the searched logs include functions, state machines and the API', async () => {
  const { groups } = await allLogs();
  for (const name of ['CreateAttestation', 'AdvanceLane', 'states/', 'ApiLog'])
    expect(groups.filter((group) => group.includes(name)).length).toBeGreaterThan(0);
});
