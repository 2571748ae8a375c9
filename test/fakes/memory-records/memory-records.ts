import type {
  Change,
  Fields,
  Key,
  Range,
  Records,
  Stored,
  Table,
} from '../../../functions/domain/records.ts';
import type { Clock } from '../../../functions/domain/services.ts';
import { MemoryIndexes } from './indexes.ts';
import { MemoryPartition } from './partition.ts';
import { addedFields, allHold, changedFields, sizeOf, storedFields } from './stored-fields.ts';

/** DynamoDB's limits, so that a test fails where the real store would. */
const maxChanges = 100;
const maxItemBytes = 400_000;

const identity = ({ table, pk, sk }: Key): string => JSON.stringify([table, pk, sk]);

const nameOf = (table: Table, pk: string): string => `${table} ${pk}`;

/** Counts of calls and records, of reads or of writes, until a test resets them to zero. */
export class Traffic {
  calls = 0;
  /** Number of records returned or changed; an absent one counts too, as DynamoDB charges for it. */
  items = 0;

  count(items: number): void {
    this.calls++;
    this.items += items;
  }

  reset(): void {
    this.calls = 0;
    this.items = 0;
  }
}

/** `Records` in memory, with the semantics of the DynamoDB adapter; the shared suite tests both. */
export class MemoryRecords implements Records {
  /** The error of every read, when set. */
  readFailure: Error | undefined;
  readonly reads = new Traffic();
  readonly writes = new Traffic();
  readonly #partitions = new Map<string, MemoryPartition>();
  readonly indexes: MemoryIndexes;
  /**
   * Whether the SDK repeats this single write, because the answer to its first attempt is lost. The second attempt
   * finds the record as the first left it, so its expectations may fail although the first succeeded. Transactions
   * carry a token by which DynamoDB recognizes the second attempt.
   */
  repeatsUpdate: () => boolean = () => false;

  /** @param now clock by which the indexes lag */
  constructor(now: Clock = () => new Date()) {
    this.indexes = new MemoryIndexes(now);
  }

  async get(key: Key): Promise<Fields | undefined> {
    return this.#read([key])[0];
  }

  async getAll(keys: readonly Key[]): Promise<(Fields | undefined)[]> {
    return this.#read(keys);
  }

  async list({ table, pk, ...range }: Range): Promise<Stored[]> {
    const found = this.#partitions.get(nameOf(table, pk))?.list(range) ?? [];
    this.#countRead(found.length);
    return found.map(copyOf);
  }

  async transact(changes: readonly Change[]): Promise<boolean> {
    if (changes.length === 0 || changes.length > maxChanges) throw new Error(`${changes.length} changes`);
    const keys = new Set(changes.map(({ key }) => identity(key)));
    if (keys.size < changes.length) throw new Error('a transaction cannot change one record twice');
    this.writes.count(changes.length);
    if (!changes.every((change) => this.#holds(change))) return false;
    for (const change of changes) this.#apply(change);
    return true;
  }

  async update(change: Change): Promise<Fields | undefined> {
    const after = this.#updateOnce(change);
    return this.repeatsUpdate() ? this.#updateOnce(change) : after;
  }

  #updateOnce(change: Change): Fields | undefined {
    this.writes.count(1);
    return this.#holds(change) ? storedFields(this.#apply(change)) : undefined;
  }

  async due(now: string, limit: number): Promise<Key[]> {
    const keys = this.indexes.due(now, limit);
    this.#countRead(keys.length);
    return keys;
  }

  async inFlight(organizationId: string, limit: number): Promise<number> {
    const count = this.indexes.inFlight(organizationId, limit);
    this.#countRead(count);
    return count;
  }

  /** Returns all records, for assertions. This does not count as a read. */
  all(): Stored[] {
    return [...this.#partitions.values()].flatMap((partition) => partition.all().map(copyOf));
  }

  /** Returns one record, for assertions. This does not count as a read. */
  peek(key: Key): Fields | undefined {
    const fields = this.#find(key);
    return fields && storedFields(fields);
  }

  restore(stored: readonly Stored[]): void {
    for (const { key } of this.all()) this.#apply({ key, remove: true });
    for (const { key, fields } of stored) this.#apply({ key, put: fields });
  }

  #find({ table, pk, sk }: Key): Fields | undefined {
    return this.#partitions.get(nameOf(table, pk))?.get(sk);
  }

  #read(keys: readonly Key[]): (Fields | undefined)[] {
    this.#countRead(keys.length);
    return keys.map((key) => this.peek(key));
  }

  #countRead(items: number): void {
    if (this.readFailure) throw this.readFailure;
    this.reads.count(items);
  }

  #holds(change: Change): boolean {
    const before = this.#find(change.key);
    if ('ifAbsent' in change && change.ifAbsent && before) return false;
    if ('ifPresent' in change && change.ifPresent && !before) return false;
    return allHold(before, change.expect);
  }

  /** @returns the changed record; this is the stored object, not a copy */
  #apply(change: Change): Fields {
    const { key } = change;
    const name = nameOf(key.table, key.pk);
    const partition = this.#partitions.get(name) ?? new MemoryPartition();
    this.#partitions.set(name, partition);
    const before = partition.get(key.sk) ?? {};
    const after = fieldsAfter(before, change);
    if (after && sizeOf(after) > maxItemBytes) throw new Error('a record is larger than DynamoDB takes');
    if (after) partition.put(key, after);
    else partition.delete(key.sk);
    this.indexes.follow(key, before, after ?? {});
    return after ?? {};
  }
}

const copyOf = ({ key, fields }: Stored): Stored => ({ key, fields: storedFields(fields) });

function fieldsAfter(before: Fields, change: Change): Fields | undefined {
  if ('remove' in change) return undefined;
  if ('put' in change) return storedFields(change.put);
  if (Object.keys(change.add ?? {}).some((name) => name in change.set))
    throw new Error('a change cannot set a field and add to it');
  return changedFields(addedFields(before, change.add), change.set);
}
