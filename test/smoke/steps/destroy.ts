import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { demand, until } from '../demand.ts';
import { stackStatus } from '../place/stack-resources.ts';
import { onlyAws, type Scene } from '../scene.ts';

/** The stack goes, and of its tables and key stays what its retention says. */
export async function destroy(scene: Scene): Promise<void> {
  const { place } = scene;
  scene.waitFor('destroying the stack');
  await place.destroy(scene.waitFor);
  const status = await stackStatus(place);
  demand(status === undefined, `the stack ${place.stackName} is still there, ${status}`);
  scene.proven(`the stack ${place.stackName} is gone`);
  if (place.keepsData) await proveKept(scene);
  else await proveGone(scene);
  if (!place.isAws) scene.notProven('what a deletion in AWS leaves behind', onlyAws.residue);
}

async function keyOf(scene: Scene) {
  const { SigningKeyId: KeyId } = scene.service().outputs;
  const { KeyMetadata: key } = await new KMSClient(scene.place.aws).send(new DescribeKeyCommand({ KeyId }));
  return key;
}

async function proveKept(scene: Scene): Promise<void> {
  const { AttestationsTable, LanesTable, QueueTable, OrganizationsTable, WebhooksTable } =
    scene.service().outputs;
  const tables = await tablesOf(scene);
  const wanted = [AttestationsTable, LanesTable, QueueTable, OrganizationsTable, WebhooksTable];
  const missing = wanted.filter((name) => !tables.includes(name));
  demand(missing.length === 0, `tables are gone that its retention keeps: ${missing.join(', ')}`);
  const key = await keyOf(scene);
  demand(key?.KeyState === 'Enabled', `its key is ${key?.KeyState}, and its retention keeps it`);
  scene.proven(`its ${wanted.length} tables and its key are kept, as its retention says`);
}

async function proveGone(scene: Scene): Promise<void> {
  await until('its tables are gone', { minutes: 5, everySeconds: 5 }, async () => {
    const tables = await tablesOf(scene);
    return tables.length === 0;
  });
  scene.proven('no table of it is left');
  const key = await keyOf(scene);
  demand(key?.KeyState === 'PendingDeletion', `its key is ${key?.KeyState}`);
  scene.proven(`its key is to be deleted on ${key.DeletionDate?.toISOString().slice(0, 10)}`);
}

async function tablesOf({ place }: Scene): Promise<string[]> {
  const tables: string[] = [];
  for await (const { TableNames: names = [] } of paginateListTables(
    { client: new DynamoDBClient(place.aws) },
    {},
  ))
    tables.push(...names.filter((name) => name.startsWith(`${place.stackName}-`)));
  return tables;
}
