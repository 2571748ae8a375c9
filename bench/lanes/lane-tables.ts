import {
  type AttributeDefinition,
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';

const names = {
  ATTESTATIONS_TABLE: 'LanesAttestations',
  LANES_TABLE: 'LanesLanes',
  ORGANIZATIONS_TABLE: 'LanesOrganizations',
} as const;

const keySchema = (hash: string, range?: string): CreateTableCommandInput['KeySchema'] => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' } as const]),
];

function tableOf(TableName: string, attributes: readonly string[]): CreateTableCommandInput {
  const define = (AttributeName: string): AttributeDefinition => ({ AttributeName, AttributeType: 'S' });
  return {
    ...{ TableName, BillingMode: 'PAY_PER_REQUEST', KeySchema: keySchema('pk', 'sk') },
    AttributeDefinitions: ['pk', 'sk', ...attributes].map(define),
  };
}

/** The service's tables with the keys and indexes of lib/tables.ts. @returns their names, by variable */
export async function createLaneTables(client: DynamoDBClient): Promise<typeof names> {
  const keysOnly = { Projection: { ProjectionType: 'KEYS_ONLY' } } as const;
  const wanted: CreateTableCommandInput[] = [
    {
      ...tableOf(names.ATTESTATIONS_TABLE, ['sweep', 'checkAt', 'inFlight']),
      GlobalSecondaryIndexes: [
        { IndexName: 'due', KeySchema: keySchema('sweep', 'checkAt'), ...keysOnly },
        { IndexName: 'inFlight', KeySchema: keySchema('inFlight'), ...keysOnly },
      ],
    },
    tableOf(names.LANES_TABLE, []),
    tableOf(names.ORGANIZATIONS_TABLE, []),
  ];
  await Promise.all(wanted.map((table) => client.send(new CreateTableCommand(table))));
  return names;
}
