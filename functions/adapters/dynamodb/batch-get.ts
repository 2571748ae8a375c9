import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import type { Key, Table } from '../../domain/records.ts';

type Item = Record<string, unknown>;

const unprocessedPauseMilliseconds = 50;

/** Maximum keys of a BatchGetItem request (DynamoDB). */
const batchSize = 100;

const identity = (table: string, { pk, sk }: Item): string => JSON.stringify([table, pk, sk]);

/** Reads many keys consistently, in the given order, with `undefined` for absent ones. Keys may repeat. */
export async function batchGet(
  documents: DynamoDBDocumentClient,
  tables: Readonly<Record<Table, string>>,
  keys: readonly Key[],
): Promise<(Item | undefined)[]> {
  const wanted = new Map(keys.map((key) => [identity(tables[key.table], { ...key }), key]));
  const distinct = [...wanted.values()];
  const found = new Map<string, Item>();
  for (let first = 0; first < distinct.length; first += batchSize) {
    const batch = requestItems(tables, distinct.slice(first, first + batchSize));
    await readBatch(documents, batch, (table, item) => found.set(identity(table, item), item));
  }
  return keys.map((key) => found.get(identity(tables[key.table], { ...key })));
}

type RequestItems = NonNullable<BatchGetCommandInput['RequestItems']>;

function requestItems(tables: Readonly<Record<Table, string>>, keys: readonly Key[]): RequestItems {
  const request: RequestItems = {};
  for (const { table, pk, sk } of keys) {
    const entry = request[tables[table]] ?? { Keys: [], ConsistentRead: true };
    entry.Keys?.push({ pk, sk });
    request[tables[table]] = entry;
  }
  return request;
}

async function readBatch(
  documents: DynamoDBDocumentClient,
  batch: RequestItems,
  add: (table: string, item: Item) => void,
): Promise<void> {
  const { Responses: found = {}, UnprocessedKeys: rest = {} } = await documents.send(
    new BatchGetCommand({ RequestItems: batch }),
  );
  for (const [table, items] of Object.entries(found)) for (const item of items) add(table, item);
  if (Object.keys(rest).length === 0) return;
  await pause(unprocessedPauseMilliseconds);
  await readBatch(documents, rest, add);
}
