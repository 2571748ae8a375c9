import * as z from 'zod';
import type { Key } from '../records.ts';
import type { Services } from '../services.ts';
import { formOf, parseRecord } from '../stored-record.ts';
import { type Queue, queueName } from './lane.ts';
import { firstRound, listOperations } from './queue-records.ts';

const roundForm = formOf({ round: z.number() });

export function lastRoundRecord(queue: Queue, organizationId: string): Key {
  // A separate partition, because organizations count concurrently.
  return { table: 'queue', pk: `${queueName(queue)}#${organizationId}`, sk: 'ROUND' };
}

/**
 * Assigns the next operation of an organization the round after its last one, but not before the round that is being
 * served. An organization has one operation in each round, so its backlog does not delay others. A crash may leave a
 * round unused, without effect.
 */
export async function nextRound(services: Services, queue: Queue, organizationId: string): Promise<number> {
  const key = lastRoundRecord(queue, organizationId);
  const { records, now } = services;
  const [fields, [first]] = await Promise.all([
    records.get(key),
    listOperations(services, queue, 1, now(), firstRound),
  ]);
  const last = fields && parseRecord('round', roundForm, fields).round;
  // Milliseconds grow faster than rounds, so an organization with a former backlog is not behind the others.
  const served = first?.round ?? now().getTime();
  if (last === undefined || last < served) {
    if (await records.update({ key, put: { round: served }, expect: { round: last } })) return served;
  }
  return parseRecord('round', roundForm, await records.update({ key, set: {}, add: { round: 1 } })).round;
}
