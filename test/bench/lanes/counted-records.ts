import type { Records } from '../../../functions/domain/records.ts';

/** Use of the store: its round trips, and the items read and written. */
export interface StoreUse {
  readonly calls: number;
  readonly itemsRead: number;
  readonly itemsWritten: number;
}

const nothing: StoreUse = { calls: 0, itemsRead: 0, itemsWritten: 0 };

export interface CountedRecords {
  readonly records: Records;
  /** Takes the use since the last call of `take`. */
  take(): StoreUse;
}

/** Wraps a store and counts its use. An absent item counts as read: DynamoDB charges for it. */
export function countedRecords(store: Records): CountedRecords {
  let use = nothing;
  const count = (more: Partial<StoreUse>) => {
    const { itemsRead = 0, itemsWritten = 0 } = more;
    use = {
      calls: use.calls + 1,
      itemsRead: use.itemsRead + itemsRead,
      itemsWritten: use.itemsWritten + itemsWritten,
    };
  };
  const counted = async <Item>(listed: Promise<Item[]>): Promise<Item[]> => {
    const items = await listed;
    count({ itemsRead: items.length });
    return items;
  };
  return {
    records: {
      get(key) {
        count({ itemsRead: 1 });
        return store.get(key);
      },
      getAll: (keys) => counted(store.getAll(keys)),
      list: (range) => counted(store.list(range)),
      due: (now, limit) => counted(store.due(now, limit)),
      async inFlight(organizationId, limit) {
        const itemsRead = await store.inFlight(organizationId, limit);
        count({ itemsRead });
        return itemsRead;
      },
      transact(changes) {
        count({ itemsWritten: changes.length });
        return store.transact(changes);
      },
      update(change) {
        count({ itemsWritten: 1 });
        return store.update(change);
      },
    },
    take() {
      const taken = use;
      use = nothing;
      return taken;
    },
  };
}
