import {
  type AttributeDefinition,
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { composeRecords } from '../../../functions/adapters/compose-records.ts';
import type { Records } from '../../../functions/domain/records.ts';
import { awsEndpoint, clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { installEmulator, startEmulator } from '../../../local/emulator/emulator.ts';
import { findPython } from '../../../local/emulator/find-python.ts';
import type { Supervisor } from '../../../local/process/supervise.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import type { StoreName } from '../report/section.ts';

export function openMemory(): Records {
  return new MemoryRecords();
}

/** Opens an empty store. */
export async function openStore(
  name: StoreName,
  supervisor: Supervisor,
  log: (line: string) => void,
): Promise<Records> {
  return name === 'memory' ? openMemory() : openDynamo(supervisor, log);
}

/** Opens a store on an emulator of its own, which the supervisor stops. */
async function openDynamo(supervisor: Supervisor, log: (line: string) => void): Promise<Records> {
  const python = await installEmulator({ supervisor, python: findPython(), log });
  const url = await startEmulator({ supervisor, python, port: undefined });
  log(`emulator: MiniStack at ${url}`);
  const client = new DynamoDBClient(clientOptions(awsEndpoint(url, {})));
  return composeRecords(await createLaneTables(client), client);
}

const names = {
  ATTESTATIONS_TABLE: 'LanesAttestations',
  LANES_TABLE: 'LanesLanes',
  QUEUE_TABLE: 'LanesQueue',
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

/**
 * Creates the service's tables with the keys and indexes of lib/storage/tables.ts.
 * @returns their names, by variable
 */
async function createLaneTables(client: DynamoDBClient): Promise<typeof names> {
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
    tableOf(names.QUEUE_TABLE, []),
    tableOf(names.ORGANIZATIONS_TABLE, []),
  ];
  await Promise.all(wanted.map((table) => client.send(new CreateTableCommand(table))));
  return names;
}
