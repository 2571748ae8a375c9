import * as z from 'zod';
import type { Key } from '../records.ts';
import type { Services } from '../services.ts';
import { formOf, parseRecord } from '../stored-record.ts';
import { type Queue, queueName } from './lane.ts';
import { firstRound, listOperations } from './queue-records.ts';

const roundForm = formOf({ round: z.number() });

export function lastRoundRecord(queue: Queue, organizationId: string): Key {
  // A partition of its own: others count at the same time.
  return { table: 'queue', pk: `${queueName(queue)}#${organizationId}`, sk: 'ROUND' };
}

/**
 * Gives an organization's next operation the round after its last, and no earlier than the one being served: with one
 * operation in each round, its thousands hold up no other organization. A round that a crash leaves unused is harmless.
 */
export async function nextRound(services: Services, queue: Queue, organizationId: string): Promise<number> {
  const key = lastRoundRecord(queue, organizationId);
  const { records, now } = services;
  const [fields, [first]] = await Promise.all([
    records.get(key),
    listOperations(services, queue, 1, now(), firstRound),
  ]);
  const last = fields && parseRecord('round', roundForm, fields).round;
  // Milliseconds pass faster than rounds: where nothing is due, whoever had many earlier is not behind the others.
  const served = first?.round ?? now().getTime();
  if (last === undefined || last < served) {
    if (await records.update({ key, put: { round: served }, expect: { round: last } })) return served;
  }
  return parseRecord('round', roundForm, await records.update({ key, set: {}, add: { round: 1 } })).round;
}
