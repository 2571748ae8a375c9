import type { Fields, Key, Table } from '../../../functions/domain/records.ts';
import { SortedKeys } from './sorted-keys.ts';

/** The indexes of the attestations. They do not lag, as those of DynamoDB may. */
export class MemoryIndexes {
  /** The index behind `due`, by time and key. */
  readonly #due = new SortedKeys();
  /** The index behind `inFlight`: the number of records by its partition key. */
  readonly #inFlight = new Map<string, number>();

  /** Updates the indexes for a changed record. */
  follow(key: Key, before: Fields, after: Fields): void {
    if (key.table !== 'attestations') return;
    const [former, entry] = [dueEntry(key, before), dueEntry(key, after)];
    if (former !== entry) {
      if (former) this.#due.remove(former);
      if (entry) this.#due.add(entry);
    }
    this.#count(before, -1);
    this.#count(after, 1);
  }

  due(now: string, limit: number): Key[] {
    // Above every entry of that time: "~" sorts after the bracket that a key begins with.
    const end = this.#due.positionOf(`${now}~`);
    return this.#due.slice(0, Math.min(limit, end)).map(keyIn);
  }

  inFlight(organizationId: string, limit: number): number {
    return Math.min(limit, this.#inFlight.get(organizationId) ?? 0);
  }

  #count({ inFlight }: Fields, by: 1 | -1): void {
    if (typeof inFlight === 'string') this.#inFlight.set(inFlight, (this.#inFlight.get(inFlight) ?? 0) + by);
  }
}

/** The entry of a record in the index behind `due`, if it has one. */
function dueEntry({ table, pk, sk }: Key, { sweep, checkAt }: Fields): string | undefined {
  return sweep === 'due' ? `${checkAt}${JSON.stringify([table, pk, sk])}` : undefined;
}

function keyIn(entry: string): Key {
  const [table, pk, sk] = JSON.parse(entry.slice(entry.indexOf('['))) as [Table, string, string];
  return { table, pk, sk };
}
