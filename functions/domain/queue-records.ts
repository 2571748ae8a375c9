import { type Attestation, delegateOf, type OperationKind } from './attestation.ts';
import { queuedOperation, queuePartition } from './keys.ts';
import { type Operation, type Queue, queueName } from './lane.ts';
import type { Change, Records } from './records.ts';

/** The queue in which an operation of the attestation waits. */
export function queueOf(attestation: Attestation, kind: OperationKind): Queue {
  return { chainId: attestation.chainId, delegateAddress: delegateOf(attestation, kind) };
}

export function putOperation(queue: Queue, operation: Operation): Change {
  return { key: queuedOperation(queueName(queue), operation), put: { ...operation }, ifAbsent: true };
}

/** Holds only while the operation is queued: of two that take it, one does. */
export function takeOperation(
  queue: Queue,
  operation: Pick<Operation, 'organizationId' | 'id' | 'kind'>,
): Change {
  const key = queuedOperation(queueName(queue), operation);
  return { key, remove: true, expect: { kind: operation.kind } };
}

/**
 * The queue's operations by organisation, each organisation's by age, from the first behind an organisation on.
 *
 * @param behind an organisation; without one, from the first
 */
export async function listOperations(
  records: Records,
  queue: Queue,
  behind: string | undefined,
  limit: number,
): Promise<Operation[]> {
  const range = { table: 'lanes', pk: queuePartition(queueName(queue)), limit } as const;
  // "~" sorts after every character of an operation's key.
  const stored = await records.list(behind === undefined ? range : { ...range, from: `${behind}#~` });
  return stored.map(({ fields }) => fields as unknown as Operation);
}

/** Those queues in which an operation waits to be bound. */
export async function waitingQueues(records: Records, queues: readonly Queue[]): Promise<Queue[]> {
  const waits = await Promise.all(queues.map((queue) => hasQueue(records, queue)));
  return queues.filter((_, position) => waits[position]);
}

/** Whether any operation waits to be bound. */
export async function hasQueue(records: Records, queue: Queue): Promise<boolean> {
  return (await listOperations(records, queue, undefined, 1)).length > 0;
}
