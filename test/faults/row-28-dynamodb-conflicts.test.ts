import { expect, test } from 'vitest';
import { operationName } from '../../functions/domain/lane/queue-records.ts';
import { findPayload } from '../../functions/domain/lane/transaction-records.ts';
import { seededRandom } from '../fakes/ports/seeded-random.ts';
import type { RealWorld } from '../fakes/real/real-world.ts';
import { dispatchQueue } from '../fakes/world/dispatch-queue.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { expectAllConfirmed } from './world/all-confirmed.ts';
import { laneOf, routes, type Served, serve } from './world/served.ts';

/** Each organisation posts so many articles. */
async function postSome({ postUntilAnswered }: Pick<Served, 'postUntilAnswered'>, each = 3): Promise<void> {
  for (const caller of [alice, bob])
    for (let number = 0; number < each; number++) await postUntilAnswered(caller, `article ${number}`);
}

/** The names of all operations in all transactions. */
async function boundOperations(world: RealWorld): Promise<string[]> {
  const { lane, nextNonce } = await laneOf(world);
  const nonces = Array.from({ length: nextNonce }, (_, nonce) => nonce);
  const payloads = await Promise.all(nonces.map((nonce) => findPayload(world.records, lane, nonce)));
  return payloads.flatMap(({ operations }) => operations.map(operationName));
}

test.each(routes)(
  'row 28: every write meets two others and is made all the same, and nobody is told: %j',
  async (route) => {
    const service = await serve(route);
    const { aws, log } = service.world;
    for (const command of ['TransactWriteItems', 'UpdateItem', 'PutItem'])
      for (let write = 0; write < 100; write++)
        aws.inject({ kind: 'conflict', command, nth: 1 + 3 * write, times: 2 });
    await postSome(service, 1);
    await service.endsByRule();
    await expectAllConfirmed(service.world, 2);
    expect(log.messages('error')).toEqual([]);
  },
);

test.each(routes)(
  'row 28: every seventh request is throttled and made again, and nobody is told: %j',
  async (route) => {
    const service = await serve(route);
    const { aws, log } = service.world;
    for (let nth = 7; nth < 2000; nth += 7) aws.inject({ kind: 'throttled', nth });
    await postSome(service);
    await service.endsByRule();
    await expectAllConfirmed(service.world, 6);
    expect(log.messages('error')).toEqual([]);
  },
);

test.each(routes)(
  'row 28: a store that throttles everything for minutes delays and fails nothing: %j',
  async (route) => {
    const service = await serve(route);
    const { aws } = service.world;
    await postSome(service);
    for (const start of [5, 130]) {
      service.queue.after(start, () => aws.inject({ kind: 'throttled', times: Number.POSITIVE_INFINITY }));
      service.queue.after(start + 120, () => aws.clear());
    }
    await service.endsByRule();
    await expectAllConfirmed(service.world, 6);
  },
);

test.each(routes)(
  'row 28: of dispatches at once, in conflict and throttled, one assigns each nonce: %j',
  async (route) => {
    const service = await serve({ ...route, maxInFlight: 2 });
    const { world, queue } = service;
    const random = seededRandom(28);
    const dispatchBeside = () =>
      service.process((mortal) => dispatchQueue(mortal, world.queue)).catch(() => {});
    queue.every(1, async () => {
      world.aws.inject({ kind: 'conflict', nth: 1 + random(10), times: 1 + random(2) });
      world.aws.inject({ kind: 'throttled', nth: 1 + random(20), times: 1 + random(4) });
      await Promise.all([dispatchBeside(), dispatchBeside(), dispatchBeside()]);
    });
    await postSome(service, 2);
    await service.endsByRule();
    await expectAllConfirmed(world, 4);
    const bound = await boundOperations(world);
    expect([...new Set(bound)]).toEqual(bound);
    expect(bound).toHaveLength(8);
  },
);
