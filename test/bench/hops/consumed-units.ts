/** Request units of DynamoDB, table and indexes together. */
export interface Units {
  readonly read: number;
  readonly write: number;
}

export const noUnits: Units = { read: 0, write: 0 };

const reads = new Set(['GetItem', 'BatchGetItem', 'Query']);

/** Adds to a request's body that DynamoDB reports the consumed units; the functions themselves do not ask for them. */
export function askForUnits(body: string): string {
  return JSON.stringify({ ...JSON.parse(body), ReturnConsumedCapacity: 'TOTAL' });
}

/** Reads the units that a response reports; a refused request's are not reported. */
export function consumedUnits(operation: string, response: string): Units {
  const { ConsumedCapacity: consumed = [] } = JSON.parse(response) as {
    ConsumedCapacity?: { CapacityUnits: number } | { CapacityUnits: number }[];
  };
  const units = [consumed].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
  return reads.has(operation) ? { read: units, write: 0 } : { read: 0, write: units };
}

export function addUnits(all: readonly Units[]): Units {
  return all.reduce(
    ({ read, write }, more) => ({ read: read + more.read, write: write + more.write }),
    noUnits,
  );
}
