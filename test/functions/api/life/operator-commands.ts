import fc from 'fast-check';
import { revokeApiKey } from '../../../../functions/domain/organization/api-keys.ts';
import type { World } from '../../../fakes/world/world.ts';
import { publisherAt } from './answers.ts';
import { rowUnderWay, who } from './choices.ts';
import { command, isReachable, often, told } from './command.ts';
import { create } from './creation.ts';
import { issueKey, type LifeModel, type Publisher } from './life-model.ts';
import { link } from './linking.ts';
import { get, list, listChains } from './reading.ts';
import { fail, workAttestation, workLane } from './work.ts';

const keyCommands = [
  often(
    1,
    who.map((number) =>
      command(`issue a key ${number}`, async (model, world) => {
        const publisher = publisherAt(model, number);
        publisher.keys.push(await issueKey(world, publisher.organizationId));
      }),
    ),
  ),
  often(
    1,
    fc
      .tuple(who, fc.nat(3))
      .map(([number, key]) =>
        command(`revoke a key ${told([number, key])}`, (model, world) =>
          revokeKey(model, world, publisherAt(model, number), key),
        ),
      ),
  ),
];

const workCommands = [
  often(
    8,
    fc.tuple(who, fc.nat(9), fc.integer({ min: 1, max: 3 })).map(([number, row, steps]) =>
      command(
        `work ${told([number, row, steps])}`,
        async (model, world) => {
          const publisher = publisherAt(model, number);
          const worked = rowUnderWay(publisher, row);
          for (let step = 0; worked && step < steps; step++) {
            await workAttestation(model, world, publisher, worked);
          }
        },
        isReachable,
      ),
    ),
  ),
  often(3, fc.constant(command('work the lane', workLane, isReachable))),
  often(
    2,
    fc.tuple(who, fc.nat(9)).map(([number, row]) =>
      command(`fail ${told([number, row])}`, async (model, world) => {
        const publisher = publisherAt(model, number);
        const failing = rowUnderWay(publisher, row);
        if (failing) await fail(world, publisher, failing);
      }),
    ),
  ),
];

const timeCommands = [
  // Too short for a block: ids of one instant and of the next meet on a page.
  often(
    2,
    fc
      .constantFrom(0.001, 0.5)
      .map((seconds) => command(`${seconds} s pass`, (_, { clock }) => clock.advance(seconds))),
  ),
  often(
    1,
    fc.constant(
      command('an hour passes', (_, { chain, clock }) => {
        clock.advance(3600);
        chain.mine(3600);
      }),
    ),
  ),
];

/** What operators do, the service itself, and time. */
export const operatorCommands = [...keyCommands, ...workCommands, ...timeCommands];

/** A key stops at once and at every route, and the others go on. */
async function revokeKey(
  model: LifeModel,
  world: World,
  publisher: Publisher,
  number: number,
): Promise<void> {
  const issued = publisher.keys[number % publisher.keys.length];
  if (!issued) throw new Error('an organisation without a key');
  await revokeApiKey(world.records, issued.id, world.clock.now());
  issued.revoked = true;
  for (const key of publisher.keys.keys()) {
    const asking = { publisher, key };
    const id = String(publisher.rows[0]?.body.id);
    await list(asking);
    await listChains(model, world, asking);
    await get(asking, id);
    await link(model, world, asking, [id, id]);
    await create(model, world, asking, 'article 0');
  }
}
