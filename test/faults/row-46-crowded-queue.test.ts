import { expect, test } from 'vitest';
import { queueName } from '../../functions/domain/lane/lane.ts';
import { queuePartition } from '../../functions/domain/lane/queue-records.ts';
import { findPayload } from '../../functions/domain/lane/transaction-records.ts';
import { queueOperation } from '../../functions/domain/steps/enter-step.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf } from './world/served.ts';
import { beginStepwise } from './world/stepwise.ts';

const crowdSize = 12;

test.each([{ forwarder: false }, { forwarder: true }])(
  'row 46: behind a crowd of one organisation and a malformed operation, another has its turn: %j',
  async (route) => {
    const begun = await beginStepwise({ batches: false, ...route, maxInFlight: 2 });
    const { world } = begun;
    const { services, records, queue } = world;
    const key = { table: 'queue', pk: queuePartition(queueName(queue)), sk: '000000000000000#x' } as const;
    await records.update({ key, put: { kind: 'other' } });
    for (let number = 0; number < crowdSize; number++) {
      const { attestation } = await world.create(alice, `article ${number}`);
      await queueOperation(services, attestation, 'commit');
    }
    const { attestation: late } = await world.create(bob, 'late');
    await queueOperation(services, late, 'commit');
    await begun.tick();
    const { nextNonce } = await laneOf(world);
    const nonces = Array.from({ length: nextNonce }, (_, nonce) => nonce);
    const payloads = await Promise.all(nonces.map((nonce) => findPayload(records, world.lane, nonce)));
    const bound = payloads.flatMap(({ operations }) => operations.map(({ id }) => id));
    expect(bound.slice(0, 2)).toContain(late.id);
    expect(world.log.messages('error')).toContain('queued operation unreadable');
    await records.update({ key, remove: true });
    await begun.endsByRule();
  },
);
