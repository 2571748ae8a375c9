import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import type { Key, Table } from '../../domain/records.ts';

type Item = Record<string, unknown>;

/** Pause before the keys that DynamoDB left unprocessed for load are asked for again. */
const unprocessedPauseMilliseconds = 50;

/** Limit of keys in one BatchGetItem request (DynamoDB). */
const batchSize = 100;

const identity = (table: string, { pk, sk }: Item): string => JSON.stringify([table, pk, sk]);

/** Reads many keys consistently, in the order asked. A key may be asked for twice; absent ones are `undefined`. */
export async function batchGet(
  documents: DynamoDBDocumentClient,
  tables: Readonly<Record<Table, string>>,
  keys: readonly Key[],
): Promise<(Item | undefined)[]> {
  const wanted = new Map(keys.map((key) => [identity(tables[key.table], { ...key }), key]));
  const pending = [...wanted.values()];
  const found = new Map<string, Item>();
  while (pending.length > 0) {
    const batch = requestItems(tables, pending.splice(0, batchSize));
    for await (const items of batches(documents, batch)) {
      for (const [table, item] of items) found.set(identity(table, item), item);
    }
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

/** Requests a batch, and then the keys that DynamoDB left unprocessed, until all are answered. */
async function* batches(documents: DynamoDBDocumentClient, first: RequestItems) {
  let request: RequestItems | undefined = first;
  while (request && Object.keys(request).length > 0) {
    const answer: Awaited<ReturnType<typeof send>> = await send(documents, request);
    yield Object.entries(answer.Responses ?? {}).flatMap(([table, items]) =>
      items.map((item): [string, Item] => [table, item]),
    );
    request = answer.UnprocessedKeys;
    if (request && Object.keys(request).length > 0) await pause(unprocessedPauseMilliseconds);
  }
}

function send(documents: DynamoDBDocumentClient, request: RequestItems) {
  return documents.send(new BatchGetCommand({ RequestItems: request }));
}
