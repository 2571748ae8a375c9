import type { Change, Fields, Key, Range, Records, Stored } from '../../../functions/domain/records.ts';
import type { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { type PartitionUse, readUse, usesByPartition, writeUses } from './request-units.ts';

/** A store that also counts DynamoDB's charge for each partition. */
export class MeteredRecords implements Records {
  readonly #store: MemoryRecords;
  #uses: PartitionUse[] = [];

  constructor(store: MemoryRecords) {
    this.#store = store;
  }

  /** Takes the use since the last call of `take`. */
  take(): PartitionUse[] {
    const taken = usesByPartition(this.#uses);
    this.#uses = [];
    return taken;
  }

  get(key: Key): Promise<Fields | undefined> {
    this.#read(key);
    return this.#store.get(key);
  }

  getAll(keys: readonly Key[]): Promise<(Fields | undefined)[]> {
    // A key that is asked for twice is sent once.
    for (const key of new Map(keys.map((one) => [JSON.stringify(one), one])).values()) this.#read(key);
    return this.#store.getAll(keys);
  }

  async list(range: Range): Promise<Stored[]> {
    const found = await this.#store.list(range);
    this.#uses.push(readUse(range, found));
    return found;
  }

  /** Not counted: the sweep reads once a minute, however many attestations there are. */
  due(now: string, limit: number): Promise<Key[]> {
    return this.#store.due(now, limit);
  }

  /** Not counted: it is read when an attestation is accepted, not in its life after that. */
  inFlight(organizationId: string, limit: number): Promise<number> {
    return this.#store.inFlight(organizationId, limit);
  }

  transact(changes: readonly Change[]): Promise<boolean> {
    return this.#written(changes, 2, () => this.#store.transact(changes));
  }

  update(change: Change): Promise<Fields | undefined> {
    return this.#written([change], 1, () => this.#store.update(change));
  }

  #read(key: Key): void {
    const fields = this.#store.peek(key);
    this.#uses.push(readUse(key, fields ? [{ key, fields }] : []));
  }

  #written<Answer>(changes: readonly Change[], factor: 1 | 2, write: () => Promise<Answer>): Promise<Answer> {
    const before = changes.map(({ key }) => this.#store.peek(key));
    // A store in memory has written as soon as it is called: no other write comes in between.
    const answer = write();
    for (const [position, { key }] of changes.entries()) {
      const written = { key, before: before[position], after: this.#store.peek(key) };
      this.#uses.push(...writeUses(written, factor));
    }
    return answer;
  }
}
