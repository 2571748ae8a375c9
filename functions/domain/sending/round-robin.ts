import type { Operation, Queue } from '../lane/lane.ts';
import { listOperations } from '../lane/queue-records.ts';
import type { Records } from '../records.ts';

/** Organisations looked for among thousands of operations of others: so many have their turn in every transaction. */
const maxOrganizations = 48;

/** Operations read of an organisation found while looking; its others are read when its turn comes first. */
const lookSize = 8;

export interface RoundRobinQuery {
  readonly queue: Queue;
  /** The organisation that had the last turn; nothing when the queue was emptied. */
  readonly lastOrganizationId: string | undefined;
  /** Operations wanted. */
  readonly limit: number;
  /** Known to be unready: read, and left out. */
  readonly skipped: ReadonlySet<string>;
}

/** Operations in the order in which their organisations are served. */
export interface RoundRobin {
  /** In the order of their turns: each organisation's oldest first, then each one's next. */
  readonly operations: readonly Operation[];
  /** The organisations found, from the one whose turn it is on. */
  readonly organizationIds: readonly string[];
  /** The whole queue was seen, and nothing of it left out. */
  readonly isWhole: boolean;
}

export function operationName({ organizationId, id, kind }: Operation): string {
  return `${organizationId}#${id}#${kind}`;
}

/**
 * Whose turn it is: organisation after organisation, so that thousands of one do not hold up another. What it reads
 * depends on how many operations are wanted and how many organisations wait, not on how long the queue is.
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
 * The organisation behind which the next look begins, once these of the turns are taken: the last that had its turn.
 * Where each that was found had one, and some may not have been found, it is the last that was found.
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
  /** The whole queue was seen. */
  readonly isWhole: boolean;
}

/**
 * A page as large as what is wanted, then small ones, each behind the last organisation of the page before, and once
 * around: where one organisation fills a page, the others behind it are found all the same.
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
    // What was seen before comes again: once around.
    if (news.length < page.length) return { found, isWhole };
    const isEnd = page.length < size;
    if (isEnd && behind === undefined) return { found, isWhole };
    if (!isEnd) isWhole = false;
    behind = isEnd ? undefined : page.at(-1)?.organizationId;
  }
  return { found, isWhole: false };
}

/** Organisation after organisation, one operation of each at a time. */
function roundRobin(operations: readonly Operation[]): Operation[] {
  const turns = new Map<string, number>();
  const numbered = operations.map((operation) => {
    const turn = turns.get(operation.organizationId) ?? 0;
    turns.set(operation.organizationId, turn + 1);
    return { operation, turn };
  });
  return numbered.sort((a, b) => a.turn - b.turn).map(({ operation }) => operation);
}
