import fc, { asyncModelRun } from 'fast-check';
import { expect, test, vi } from 'vitest';
import { cases, soakTimeout } from '../../../fakes/world/soak.ts';
import type { World } from '../../../fakes/world/world.ts';
import { publisherAt, reached } from './answers.ts';
import { actAlone, chainCommands } from './chain-commands.ts';
import { create } from './creation.ts';
import { everyAnswer } from './every-answer.ts';
import { beginLife, issueKey, type LifeModel } from './life-model.ts';
import { operatorCommands } from './operator-commands.ts';
import { get, list } from './reading.ts';
import { requestCommands } from './request-commands.ts';
import { fail, setReach, workLane } from './work.ts';

// Of tens of thousands of requests.
vi.mock('../../../../functions/adapters/aws/cloudwatch-log.ts', () => ({
  functionLog: () => ({ info: () => {}, warn: () => {}, error: () => {} }),
}));
vi.mock('../../../../functions/adapters/compose-services.ts', () => import('./served.ts'));
vi.mock('../../../../functions/adapters/compose-records.ts', () => import('./served.ts'));

vi.setConfig({ testTimeout: soakTimeout });

const happenings = fc.commands([fc.oneof(...requestCommands, ...operatorCommands, ...chainCommands)], {
  maxCommands: 30,
  size: '+1',
});

/** The first organisation has a past: two confirmed attestations and a failed one, and content that it attested alone and revoked. */
async function bringPast(model: LifeModel, world: World): Promise<void> {
  const publisher = publisherAt(model, 0);
  for (const text of ['article 0', 'article 1', 'article 4', 'article 4']) actAlone(world, publisher, text);
  for (const number of [0, 1, 2]) await create(model, world, { publisher, key: 0 }, `article ${number}`);
  const [, , failing] = publisher.rows;
  if (failing) await fail(world, publisher, failing);
}

/** All that was asked for last is done, and every attestation is looked at once more. */
async function endLife(model: LifeModel, world: World): Promise<void> {
  setReach(model, world, true);
  await workLane(model, world);
  for (const publisher of model.publishers) {
    const key = publisher.keys.push(await issueKey(world, publisher.organizationId)) - 1;
    const { ids } = await list({ publisher, key }, { limit: 200 });
    expect(ids).toHaveLength(publisher.rows.length);
    for (const id of ids) await get({ publisher, key }, id);
  }
}

test('whatever two organisations do in whatever order, each is answered as its own attestations are', async () => {
  const property = fc.asyncProperty(happenings, async (happening) => {
    const { model, real } = await beginLife();
    await bringPast(model, real);
    await asyncModelRun(() => ({ model, real }), happening);
    await endLife(model, real);
  });
  await fc.assert(property, { numRuns: cases(400, 20_000) });
  // A model that never comes so far would show nothing.
  expect([...reached].sort()).toEqual(everyAnswer);
});
