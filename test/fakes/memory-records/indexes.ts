import type { Fields, Key, Table } from '../../../functions/domain/records.ts';
import type { Clock } from '../../../functions/domain/services.ts';
import { SortedKeys } from './sorted-keys.ts';

/** A change of a record that the indexes do not show yet. */
interface PendingChange {
  /** Time from which the indexes show it, in milliseconds since 1970. */
  readonly from: number;
  readonly key: Key;
  readonly before: Fields;
  readonly after: Fields;
}

/** The indexes of the attestations, which may lag behind the table like those of DynamoDB. */
export class MemoryIndexes {
  /** Seconds after which a change is shown. */
  lagSeconds = 0;
  readonly #now: Clock;
  /** Changes in the order of the writes, in which the indexes apply them. */
  readonly #pending: PendingChange[] = [];
  /** The index behind `due`, by time and key. */
  readonly #due = new SortedKeys();
  /** The index behind `inFlight`: the number of records by its partition key. */
  readonly #inFlight = new Map<string, number>();

  constructor(now: Clock) {
    this.#now = now;
  }

  /** Updates the indexes for a changed record after the lag. */
  follow(key: Key, before: Fields, after: Fields): void {
    if (key.table !== 'attestations') return;
    const from = this.#now().getTime() + this.lagSeconds * 1000;
    this.#pending.push({ from, key, before, after });
  }

  #catchUp(): void {
    const now = this.#now().getTime();
    for (let next = this.#pending[0]; next && next.from <= now; next = this.#pending[0]) {
      this.#pending.shift();
      this.#show(next);
    }
  }

  #show({ key, before, after }: PendingChange): void {
    const [former, entry] = [dueEntry(key, before), dueEntry(key, after)];
    if (former !== entry) {
      if (former) this.#due.remove(former);
      if (entry) this.#due.add(entry);
    }
    this.#count(before, -1);
    this.#count(after, 1);
  }

  due(now: string, limit: number): Key[] {
    this.#catchUp();
    // Above every entry of that time: "~" sorts after the bracket that a key begins with.
    const end = this.#due.positionOf(`${now}~`);
    return this.#due.slice(0, Math.min(limit, end)).map(parseEntry);
  }

  inFlight(organizationId: string, limit: number): number {
    this.#catchUp();
    return Math.min(limit, this.#inFlight.get(organizationId) ?? 0);
  }

  #count({ inFlight }: Fields, amount: 1 | -1): void {
    if (typeof inFlight === 'string')
      this.#inFlight.set(inFlight, (this.#inFlight.get(inFlight) ?? 0) + amount);
  }
}

/** The entry of a record in the index behind `due`, if it has one. */
function dueEntry({ table, pk, sk }: Key, { sweep, checkAt }: Fields): string | undefined {
  return sweep === 'due' ? `${checkAt}${JSON.stringify([table, pk, sk])}` : undefined;
}

function parseEntry(entry: string): Key {
  const [table, pk, sk] = JSON.parse(entry.slice(entry.indexOf('['))) as [Table, string, string];
  return { table, pk, sk };
}
