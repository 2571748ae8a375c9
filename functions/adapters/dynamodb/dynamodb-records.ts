import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Change, Fields, Key, Range, Records, Stored, Table } from '../../domain/records.ts';
import { batchGet } from './batch-get.ts';
import { tryConditionalWrite } from './conditional-write.ts';
import { expressionsOf } from './expressions.ts';

export type TableNames = Readonly<Record<Table, string>>;

/** `Records` on DynamoDB. Reads are strongly consistent, except `due` and `inFlight`, which use indexes. */
export class DynamoRecords implements Records {
  readonly #documents: DynamoDBDocumentClient;
  readonly #tables: TableNames;

  constructor(documents: DynamoDBDocumentClient, tables: TableNames) {
    this.#documents = documents;
    this.#tables = tables;
  }

  async get({ table, pk, sk }: Key): Promise<Fields | undefined> {
    const get = new GetCommand({ TableName: this.#tables[table], Key: { pk, sk }, ConsistentRead: true });
    const { Item: item } = await this.#documents.send(get);
    return item && fieldsOf(item);
  }

  async getAll(keys: readonly Key[]): Promise<(Fields | undefined)[]> {
    const found = await batchGet(this.#documents, this.#tables, keys);
    return found.map((item) => item && fieldsOf(item));
  }

  async list({ table, pk, from, before, limit, descending }: Range): Promise<Stored[]> {
    const bound = from ?? before;
    const range = bound === undefined ? '' : ` AND sk ${from === undefined ? '<' : '>='} :bound`;
    const items = await this.#query(limit, {
      TableName: this.#tables[table],
      KeyConditionExpression: `pk = :pk${range}`,
      ExpressionAttributeValues: { ':pk': pk, ...(bound === undefined ? {} : { ':bound': bound }) },
      ConsistentRead: true,
      ScanIndexForward: !descending,
    });
    return items.map((item) => ({ key: { table, pk, sk: String(item.sk) }, fields: fieldsOf(item) }));
  }

  async due(now: string, limit: number): Promise<Key[]> {
    const items = await this.#query(limit, {
      TableName: this.#tables.attestations,
      IndexName: 'due',
      KeyConditionExpression: 'sweep = :due AND checkAt <= :now',
      ExpressionAttributeValues: { ':due': 'due', ':now': now },
    });
    return items.map(({ pk, sk }) => ({ table: 'attestations', pk: String(pk), sk: String(sk) }));
  }

  async inFlight(organizationId: string, limit: number): Promise<number> {
    let count = 0;
    const pages = this.#pages(limit, {
      TableName: this.#tables.attestations,
      IndexName: 'inFlight',
      KeyConditionExpression: 'inFlight = :organization',
      ExpressionAttributeValues: { ':organization': organizationId },
      Select: 'COUNT',
    });
    for await (const page of pages) count += page.Count ?? 0;
    return count;
  }

  transact(changes: readonly Change[]): Promise<boolean> {
    const writes = changes.map((change) => this.#write(change));
    return tryConditionalWrite(() =>
      this.#documents.send(new TransactWriteCommand({ TransactItems: writes })),
    );
  }

  async update(change: Change): Promise<Fields | undefined> {
    let after: Fields | undefined;
    const isWritten = await tryConditionalWrite(async () => {
      after = await this.#updated(change);
    });
    return isWritten ? after : undefined;
  }

  async #updated(change: Change): Promise<Fields> {
    const { Put: put, Delete: remove, Update: update } = this.#write(change);
    if (put) await this.#documents.send(new PutCommand(put));
    if (remove) await this.#documents.send(new DeleteCommand(remove));
    if (!update) return put ? fieldsOf(put.Item) : {};
    const { Attributes: item = {} } = await this.#documents.send(
      new UpdateCommand({ ...update, ReturnValues: 'ALL_NEW' }),
    );
    return fieldsOf(item);
  }

  #write(change: Change) {
    const { table, pk, sk } = change.key;
    const target = { TableName: this.#tables[table], ...expressionsOf(change) };
    if ('put' in change) return { Put: { ...target, Item: { ...change.put, pk, sk } } };
    if ('remove' in change) return { Delete: { ...target, Key: { pk, sk } } };
    return { Update: { UpdateExpression: undefined, ...target, Key: { pk, sk } } };
  }

  async #query(limit: number | undefined, query: QueryCommandInput): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    for await (const page of this.#pages(limit, query)) items.push(...(page.Items ?? []));
    return items;
  }

  /** Reads DynamoDB's pages of up to 1 MB, up to the limit. */
  async *#pages(limit: number | undefined, query: QueryCommandInput): AsyncGenerator<QueryCommandOutput> {
    let remaining = limit ?? Number.POSITIVE_INFINITY;
    let start: Record<string, unknown> | undefined;
    do {
      const pageLimit = limit !== undefined && { Limit: remaining };
      const command = new QueryCommand({ ...query, ...pageLimit, ExclusiveStartKey: start });
      const page: QueryCommandOutput = await this.#documents.send(command);
      yield page;
      remaining -= page.Count ?? 0;
      start = page.LastEvaluatedKey;
    } while (start && remaining > 0);
  }
}

function fieldsOf({ pk: _, sk: __, ...fields }: Record<string, unknown>): Fields {
  return fields as Fields;
}
