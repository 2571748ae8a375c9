import type { Change, Key, Records } from '../../../functions/domain/records.ts';
import type { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { type PartitionUse, readUse, writeUses } from './request-units.ts';

export interface MeteredRecords {
  readonly records: Records;
  /** Takes the charges since the last call of `take`. */
  take(): PartitionUse[];
}

/** Counts a store's charges, except of `due`, which is read once a minute, and `inFlight`. */
export function meteredRecords(store: MemoryRecords): MeteredRecords {
  let uses: PartitionUse[] = [];
  const read = (key: Key) => {
    const fields = store.peek(key);
    uses.push(readUse(key, fields ? [{ key, fields }] : []));
  };
  const written = <Answer>(changes: readonly Change[], factor: 1 | 2, write: () => Answer): Answer => {
    const before = changes.map(({ key }) => store.peek(key));
    // The store in memory writes synchronously.
    const answer = write();
    for (const [position, { key }] of changes.entries()) {
      uses.push(...writeUses({ key, before: before[position], after: store.peek(key) }, factor));
    }
    return answer;
  };
  return {
    records: {
      get(key) {
        read(key);
        return store.get(key);
      },
      getAll(keys) {
        // Duplicate keys are sent once.
        for (const key of new Map(keys.map((one) => [JSON.stringify(one), one])).values()) read(key);
        return store.getAll(keys);
      },
      async list(range) {
        const found = await store.list(range);
        uses.push(readUse(range, found));
        return found;
      },
      due: (now, limit) => store.due(now, limit),
      inFlight: (organizationId, limit) => store.inFlight(organizationId, limit),
      transact: (changes) => written(changes, 2, () => store.transact(changes)),
      update: (change) => written([change], 1, () => store.update(change)),
    },
    take() {
      const taken = uses;
      uses = [];
      return taken;
    },
  };
}
