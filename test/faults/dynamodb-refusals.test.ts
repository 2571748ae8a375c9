import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, inject, test } from 'vitest';
import { DynamoRecords } from '../../functions/adapters/dynamodb/dynamodb-records.ts';
import type { Change } from '../../functions/domain/records.ts';
import { clientOptions } from '../../local/emulator/aws-endpoint.ts';
import { createTables, deleteTables } from '../fakes/real/real-aws.ts';

const dynamo = new DynamoDBClient(clientOptions(inject('dynamoDb')));
const tables = await createTables(dynamo, 'refusals');
const records = new DynamoRecords(DynamoDBDocumentClient.from(dynamo), tables);
afterAll(() => deleteTables(dynamo, Object.values(tables)));

const { Table: table } = await dynamo.send(new DescribeTableCommand({ TableName: tables.lanes }));
/** Runs a test only on DynamoDB Local, because the emulator accepts the changes that DynamoDB refuses. */
const onDynamoDbLocal = test.runIf(table?.TableArn?.includes(':ddblocal:'));

const key = { table: 'lanes', pk: 'a', sk: 'b' } as const;
const expecting = (count: number) => ({ x: Array.from({ length: count }, (_, n) => n) });

/** memory-records.ts refuses these as DynamoDB does. */
onDynamoDbLocal.each<{ description: string; change: Change; refusal: string }>([
  {
    description: 'more than 100 expected values',
    change: { key, set: { y: 1 }, expect: expecting(101) },
    refusal: 'too many operands',
  },
  {
    description: 'no expected value',
    change: { key, set: { y: 1 }, expect: expecting(0) },
    refusal: 'Syntax error',
  },
  {
    description: 'a field that is both set and added to',
    change: { key, set: { y: 1 }, add: { y: 1 } },
    refusal: 'overlap',
  },
])('DynamoDB refuses $description', async ({ change, refusal }) => {
  await expect(records.update(change)).rejects.toThrow(refusal);
});

onDynamoDbLocal('DynamoDB takes 100 expected values', async () => {
  expect(await records.update({ key, set: { y: 1 }, expect: expecting(100) })).toBeUndefined();
});
