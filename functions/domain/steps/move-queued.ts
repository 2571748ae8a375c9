import { operationForm, type Queue, queueName } from '../lane/lane.ts';
import { parseQueued, queuedOperation, queuePartition } from '../lane/queue-records.ts';
import type { Stored } from '../records.ts';
import type { Services } from '../services.ts';
import { parseRecord } from '../stored-record.ts';

/** Operations moved at once. */
const atOnce = 100;

/**
 * Moves the operations of a queue that an earlier version left in the table of the lanes to the table of their own. Each
 * moves in one write, so that it is always in one place, whoever else takes or moves it. What is malformed stays.
 */
export async function moveQueued(services: Pick<Services, 'records' | 'log'>, queue: Queue): Promise<void> {
  const former = { table: 'lanes', pk: queuePartition(queueName(queue)), limit: atOnce } as const;
  for (let moved = atOnce; moved === atOnce; ) {
    const stored = await services.records.list(former);
    const results = await Promise.all(stored.map((operation) => move(services, queue, operation)));
    moved = results.filter(Boolean).length;
  }
}

async function move(
  { records, log }: Pick<Services, 'records' | 'log'>,
  queue: Queue,
  { key, fields }: Stored,
): Promise<boolean> {
  const operation = parseQueued(log, queue, () => parseRecord('operation', operationForm, fields));
  if (!operation) return false;
  return records.transact([
    { key, remove: true, expect: fields },
    { key: queuedOperation(queueName(queue), operation), put: fields, ifAbsent: true },
  ]);
}
