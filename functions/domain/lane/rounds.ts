import * as z from 'zod';
import type { Key } from '../records.ts';
import type { Services } from '../services.ts';
import { parseRecord, recordForm } from '../stored-record.ts';
import { type Queue, queueName } from './lane.ts';
import { firstRound, listOperations } from './queue-records.ts';

const roundForm = recordForm<{ readonly round: number }>({ round: z.number() });

export function lastRoundRecord(queue: Queue, organizationId: string): Key {
  // A partition of its own: others count at the same time.
  return { table: 'queue', pk: `${queueName(queue)}#${organizationId}`, sk: 'ROUND' };
}

/**
 * Gives an organisation's next operation its round in a queue: the one after its last, and no earlier than the one that
 * is being served. So it has one operation in each round, and thousands of it hold up no other organisation. A round
 * that a crash leaves unused does no harm.
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
