import type { Fields, Key, Range, Stored } from '../../../functions/domain/records.ts';
import { SortedKeys } from './sorted-keys.ts';

/** The records under one partition key of a table, in order. */
export class MemoryPartition {
  readonly #items = new Map<string, Stored>();
  readonly #sortKeys = new SortedKeys();

  get(sk: string): Fields | undefined {
    return this.#items.get(sk)?.fields;
  }

  put({ table, pk, sk }: Key, fields: Fields): void {
    this.#sortKeys.add(sk);
    this.#items.set(sk, { key: { table, pk, sk }, fields });
  }

  delete(sk: string): void {
    this.#sortKeys.remove(sk);
    this.#items.delete(sk);
  }

  list({ from, before, limit = this.#items.size, descending }: Omit<Range, 'table' | 'pk'>): Stored[] {
    const keys = this.#sortKeys;
    const low = from === undefined ? 0 : keys.positionOf(from);
    const high = from !== undefined || before === undefined ? keys.size : keys.positionOf(before);
    const sortKeys = descending
      ? keys.slice(Math.max(low, high - limit), high).reverse()
      : keys.slice(low, Math.min(high, low + limit));
    return sortKeys.flatMap((sk) => this.#items.get(sk) ?? []);
  }

  all(): Stored[] {
    return this.list({});
  }
}
