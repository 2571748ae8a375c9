import { type Queue, queueName } from '../lane/lane.ts';
import { operationForm, queuedOperation, queuePartition } from '../lane/queue-records.ts';
import type { Records, Stored } from '../records.ts';
import { parseRecord } from '../stored-record.ts';

/** Operations moved at once. */
const atOnce = 100;

/**
 * Moves the operations of a queue that an earlier version left in the table of the lanes to the table of their own. Each
 * moves in one write, so that it is always in one place, whoever else takes or moves it.
 */
export async function moveQueued(records: Records, queue: Queue): Promise<void> {
  const former = { table: 'lanes', pk: queuePartition(queueName(queue)), limit: atOnce } as const;
  for (let moved = atOnce; moved === atOnce; ) {
    const stored = await records.list(former);
    const results = await Promise.all(stored.map((operation) => move(records, queue, operation)));
    moved = results.filter(Boolean).length;
  }
}

function move(records: Records, queue: Queue, { key, fields }: Stored): Promise<boolean> {
  return records.transact([
    { key, remove: true, expect: fields },
    {
      key: queuedOperation(queueName(queue), parseRecord('operation', operationForm, fields)),
      put: fields,
      ifAbsent: true,
    },
  ]);
}
