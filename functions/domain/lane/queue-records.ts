import type { Hex } from 'viem';
import { type Attestation, delegateOf, type OperationKind } from '../attestation/attestation.ts';
import type { Change, Key, Records, Stored } from '../records.ts';
import type { Log, Services } from '../services.ts';
import { parseOrReport, parseRecord, RecordInvalidError } from '../stored-record.ts';
import { type Operation, operationForm, type Queue, queueName } from './lane.ts';

export function queuePartition(queue: string): string {
  return `${queue}#queue`;
}

type OperationKey = Pick<Operation, 'organizationId' | 'id' | 'kind' | 'round' | 'place'>;

export function operationName({ organizationId, id, kind }: OperationKey): string {
  return `${organizationId}#${id}#${kind}`;
}

/** Returns the key of a queued operation. Reveals with a place sort first, then operations by round. */
export function queuedOperation(queue: string, operation: OperationKey): Key {
  const { round = 0, place = String(round).padStart(15, '0') } = operation;
  return { table: 'queue', pk: queuePartition(queue), sk: `${place}#${operationName(operation)}` };
}

/** Returns the place of a reveal by its due time. Reveals of one commit are adjacent. */
export function revealPlace(dueAt: string, commitTxHash: Hex): string {
  return `${firstPlace}${dueAt}#${commitTxHash.slice(2, 10)}`;
}

/** Sorts before the digits of every round. */
const firstPlace = '!';

/** The lowest sort key of an operation that has a round. */
export const firstRound = '0';

export function operationKey(attestation: Attestation, kind: OperationKind): OperationKey {
  const { organizationId, id, [`${kind}Round` as const]: round, revealPlace: place } = attestation;
  if (kind === 'reveal' && place !== undefined) return { organizationId, id, kind, place };
  return { organizationId, id, kind, ...(round === undefined ? {} : { round }) };
}

export function queueOf(attestation: Attestation, kind: OperationKind): Queue {
  return { chainId: attestation.chainId, delegateAddress: delegateOf(attestation, kind) };
}

/** Queues an operation. It may replace one: after a reorg undid a link, the link of a newer intent may be queued. */
export function putOperation(queue: Queue, operation: Operation): Change {
  return { key: queuedOperation(queueName(queue), operation), put: { ...operation } };
}

/** Removes an operation from its queue. Of two concurrent writers, one succeeds. */
export function takeOperation(queue: Queue, operation: OperationKey): Change {
  const key = queuedOperation(queueName(queue), operation);
  return { key, remove: true, expect: { kind: operation.kind } };
}

function rangeOf(queue: Queue) {
  return { table: 'queue', pk: queuePartition(queueName(queue)) } as const;
}

/** Postpones an operation that could not be sent, if it is still queued. */
export function postpone(queue: Queue, operation: Operation): Change {
  const { unreadySince, retryAt } = operation;
  const key = queuedOperation(queueName(queue), operation);
  return { key, set: { unreadySince, retryAt }, ifPresent: true };
}

export const maxPostponeSeconds = 300;

/** Whether an operation is due. A `retryAt` beyond the maximum only counts for a reveal that waits for its delay. */
export function isDue({ retryAt = '', place, unreadySince }: Operation, now: Date): boolean {
  const latest = new Date(now.getTime() + maxPostponeSeconds * 1000).toISOString();
  const isDelayed = place !== undefined && unreadySince === undefined;
  return retryAt <= now.toISOString() || (retryAt > latest && !isDelayed);
}

/** Operations per page after the first page, whose operations may all be postponed. */
const pageSize = 500;

/** Lists the first operations of a queue, without those postponed beyond `dueAt`. */
export async function listOperations(
  { records, log }: Pick<Services, 'records' | 'log'>,
  queue: Queue,
  limit: number,
  dueAt?: Date,
  from = firstPlace,
): Promise<Operation[]> {
  const result: Operation[] = [];
  let start = from;
  for (let size = limit; ; size = pageSize) {
    const page = await records.list({ ...rangeOf(queue), limit: size, from: start });
    const operations = page.flatMap((stored) => parseOperation(log, queue, stored) ?? []);
    result.push(...operations.filter((operation) => !dueAt || isDue(operation, dueAt)));
    if (result.length >= limit || page.length < size) return result.slice(0, limit);
    const last = page.at(-1)?.key.sk ?? firstRound;
    const isUndueReveal = dueAt && last < firstRound && last > `${firstPlace}${dueAt.toISOString()}~`;
    // Reveals are ordered by due time. "~" sorts after every character of a key.
    start = isUndueReveal ? firstRound : `${last}~`;
  }
}

/** Parses an operation. A malformed one, or one with another operation's key, is logged and stays in the queue. */
function parseOperation(log: Log, queue: Queue, { key, fields }: Stored): Operation | undefined {
  const name = queueName(queue);
  const parse = () => {
    const parsed = parseRecord('operation', operationForm, fields);
    if (queuedOperation(name, parsed).sk === key.sk) return parsed;
    throw new RecordInvalidError('operation', 'key');
  };
  return parseOrReport(parse, (error) => log.error('queued operation unreadable', error, { queue: name }));
}

export async function waitingQueues(records: Records, queues: readonly Queue[]): Promise<Queue[]> {
  const pages = await Promise.all(queues.map((queue) => records.list({ ...rangeOf(queue), limit: 1 })));
  return queues.filter((_, position) => pages[position]?.length);
}
