import type { Change, Records, Table } from '../../../functions/domain/records.ts';
import type { Services } from '../../../functions/domain/services.ts';
import {
  type FunctionAccess,
  type FunctionFile,
  functionAccess,
  type TableAction,
} from '../../../lib/access/function-access.ts';

function actionOf(change: Change): TableAction {
  if ('put' in change) return 'put';
  return 'remove' in change ? 'delete' : 'update';
}

/** Makes the services reject table access that the function's role does not allow. */
export function restrictedToRole(file: FunctionFile, services: Services): Services {
  return { ...services, records: recordsOfRole(file, functionAccess[file], services.records) };
}

/** Makes the records reject access that the role does not allow. */
export function recordsOfRole(file: string, access: FunctionAccess, records: Records): Records {
  const check = (isAllowed: boolean | undefined, action: string): void => {
    if (isAllowed) return;
    const error = new Error(`${file} may not ${action}`);
    // Functions are retried and sweeps continue after any error. Only an uncaught error surely ends the test.
    queueMicrotask(() => {
      throw error;
    });
    throw error;
  };
  const use = (table: Table, action: TableAction) =>
    check(access[table]?.includes(action), `${action} in ${table}`);
  const write = (change: Change) => use(change.key.table, actionOf(change));
  return {
    get: async (key) => {
      use(key.table, 'get');
      return records.get(key);
    },
    getAll: async (keys) => {
      for (const { table } of keys) use(table, 'batchGet');
      return records.getAll(keys);
    },
    list: async (range) => {
      use(range.table, 'query');
      return records.list(range);
    },
    transact: async (changes) => {
      changes.forEach(write);
      return records.transact(changes);
    },
    update: async (change) => {
      write(change);
      return records.update(change);
    },
    due: async (now, limit) => {
      check(access.indexes?.includes('due'), 'read the index `due`');
      return records.due(now, limit);
    },
    inFlight: async (organizationId, limit) => {
      check(access.indexes?.includes('inFlight'), 'read the index `inFlight`');
      return records.inFlight(organizationId, limit);
    },
  };
}
