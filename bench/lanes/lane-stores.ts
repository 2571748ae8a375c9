import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { composeRecords } from '../../functions/adapters/compose-records.ts';
import { MemoryRecords } from '../../functions/adapters/memory-records.ts';
import type { Records } from '../../functions/domain/records.ts';
import { awsEndpoint, clientOptions } from '../../local/aws-endpoint.ts';
import { startEmulator } from '../../local/emulator.ts';
import { findPython } from '../../local/find-python.ts';
import { installEmulator } from '../../local/install-emulator.ts';
import type { Supervisor } from '../../local/supervise.ts';
import type { StoreName } from './lane-options.ts';
import { createLaneTables } from './lane-tables.ts';

export function openMemory(): Records {
  return new MemoryRecords();
}

/** An empty store. */
export async function openStore(
  name: StoreName,
  supervisor: Supervisor,
  log: (line: string) => void,
): Promise<Records> {
  return name === 'memory' ? openMemory() : openDynamo(supervisor, log);
}

/** On an emulator of its own, which the supervisor stops. */
async function openDynamo(supervisor: Supervisor, log: (line: string) => void): Promise<Records> {
  const python = await installEmulator({ supervisor, python: findPython(), log });
  const url = await startEmulator({ supervisor, python, port: undefined });
  log(`emulator: MiniStack at ${url}`);
  const client = new DynamoDBClient(clientOptions(awsEndpoint(url, {})));
  return composeRecords(await createLaneTables(client), client);
}
