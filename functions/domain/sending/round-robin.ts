import type { Operation, Queue } from '../lane/lane.ts';
import { listOperations } from '../lane/queue-records.ts';
import type { Records } from '../records.ts';

/** Organisations searched for among thousands of operations of others: as many are served in every transaction. */
const maxOrganizations = 48;

/** Operations read of an organisation found in the search; its others are read when it is served first. */
const lookSize = 8;

/** Query of the operations of a queue that are sent next. */
export interface RoundRobinQuery {
  readonly queue: Queue;
  /** The organisation served last; `undefined` when the queue was emptied. */
  readonly lastOrganizationId: string | undefined;
  /** Operations wanted. */
  readonly limit: number;
  /** Names of operations known to be unready: they are read and left out. */
  readonly skipped: ReadonlySet<string>;
}

/** Operations in the order in which their organisations are served. */
export interface RoundRobin {
  /** Each organisation's oldest operation first, then each one's next. */
  readonly operations: readonly Operation[];
  /** Organisations found, from the one that is served first. */
  readonly organizationIds: readonly string[];
  /** Whether the whole queue was read, and nothing of it left out. */
  readonly isWhole: boolean;
}

/** Names an operation within its queue. */
export function operationName({ organizationId, id, kind }: Operation): string {
  return `${organizationId}#${id}#${kind}`;
}

/**
 * Reads the next operations in round-robin: organisation after organisation, so that thousands of one do not hold up
 * another. The amount read depends on how many operations are wanted and how many organisations wait, not on the length
 * of the queue.
 */
export async function nextRoundRobin(records: Records, query: RoundRobinQuery): Promise<RoundRobin> {
  const { found, isWhole } = await readPages(records, query);
  const ready = roundRobin(found.filter((operation) => !query.skipped.has(operationName(operation))));
  return {
    operations: ready.slice(0, query.limit),
    organizationIds: [...new Set(found.map(({ organizationId }) => organizationId))],
    isWhole: isWhole && ready.length <= query.limit,
  };
}

/**
 * Returns the organisation behind which the next read begins once these operations are taken: the last one served. When
 * every organisation found was served and others may not have been found, it is the last one found; `undefined` once
 * the whole queue is taken.
 */
export function lastServed(round: RoundRobin, taken: readonly Operation[]): string | undefined {
  const { operations, organizationIds, isWhole } = round;
  if (isWhole && taken.length === operations.length) return undefined;
  const served = new Set(taken.map(({ organizationId }) => organizationId));
  const haveAllHadOne = organizationIds.every((id) => served.has(id));
  return haveAllHadOne && !isWhole ? organizationIds.at(-1) : taken.at(-1)?.organizationId;
}

interface Page {
  readonly found: readonly Operation[];
  /** Whether the whole queue was read. */
  readonly isWhole: boolean;
}

/**
 * Reads a page as large as what is wanted, then small ones, each behind the last organisation of the page before, once
 * around the queue. So the organisations behind one that fills a page are found as well.
 */
async function readPages(
  records: Records,
  { queue, lastOrganizationId, limit, skipped }: RoundRobinQuery,
): Promise<Page> {
  const wanted = limit + skipped.size;
  const found: Operation[] = [];
  const seen = new Set<string>();
  let behind = lastOrganizationId;
  let isWhole = true;
  const isEnough = () => seen.size >= maxOrganizations && found.length >= wanted;
  for (let pages = 0; pages <= maxOrganizations && !isEnough(); pages++) {
    const size = isWhole ? Math.max(lookSize, wanted - found.length) : lookSize;
    const page = await listOperations(records, queue, behind, size);
    const news = page.filter(({ organizationId }) => !seen.has(organizationId));
    found.push(...news);
    for (const { organizationId } of news) seen.add(organizationId);
    // An organisation seen before comes again: the search has been once around.
    if (news.length < page.length) return { found, isWhole };
    const isEnd = page.length < size;
    if (isEnd && behind === undefined) return { found, isWhole };
    if (!isEnd) isWhole = false;
    behind = isEnd ? undefined : page.at(-1)?.organizationId;
  }
  return { found, isWhole: false };
}

/** Orders operations organisation after organisation, one operation of each at a time. */
function roundRobin(operations: readonly Operation[]): Operation[] {
  const turns = new Map<string, number>();
  const numbered = operations.map((operation) => {
    const turn = turns.get(operation.organizationId) ?? 0;
    turns.set(operation.organizationId, turn + 1);
    return { operation, turn };
  });
  return numbered.sort((a, b) => a.turn - b.turn).map(({ operation }) => operation);
}
