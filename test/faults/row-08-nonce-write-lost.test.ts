import { expect, test } from 'vitest';
import { findPayload } from '../../functions/domain/lane/transaction-records.ts';
import { alice } from '../fakes/world/world.ts';
import { laneOf, routes, serve, transactionOf } from './world/served.ts';

/** Fault of the write that assigns the nonce: it comes after the one that queues the operation. */
const assignmentLost = { kind: 'answer lost', command: 'TransactWriteItems', nth: 2 } as const;

const ways = routes.flatMap((route) => [1, 4].map((times) => ({ ...route, times })));

test.each(ways)(
  'row 08: a nonce is assigned once, and stays the same, when the answer to its assignment is lost: %j',
  async ({ times, ...route }) => {
    const service = await serve(route);
    const { world } = service;
    const { attestation } = await service.post(alice, 'An article.');
    world.aws.inject({ ...assignmentLost, times });
    await service.until(async () => (await laneOf(world).catch(() => undefined))?.nextNonce === 1);
    expect(await findPayload(world.records, world.lane, 0)).toMatchObject({
      operations: [{ id: attestation.id, kind: 'commit' }],
    });
    const { attempts } = await transactionOf(world, 0);
    // The SDK asks again and hears of its own write; where it never does, another process has to sign.
    expect(attempts.length).toBe(times === 1 ? 1 : 0);

    await service.endsByRule();
    const { commitTxHash, revealTxHash } = await world.row(attestation);
    expect((await laneOf(world)).nextNonce).toBe(2);
    for (const [nonce, hash] of [commitTxHash, revealTxHash].entries()) {
      const { attempts } = await transactionOf(world, nonce);
      expect(attempts.map((attempt) => attempt.hash)).toEqual([hash]);
    }
  },
);
