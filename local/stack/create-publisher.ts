import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { v7 as uuidv7 } from 'uuid';
import type { Address } from 'viem';
import { composeRecords } from '../../functions/adapters/compose-records.ts';
import { createApiKey } from '../../functions/domain/organization/api-keys.ts';
import { createOrganization } from '../../functions/domain/organization/organization.ts';
import { type AwsEndpoint, clientOptions } from '../emulator/aws-endpoint.ts';

export interface Publisher {
  readonly organizationId: string;
  readonly apiKey: string;
}

/** Creates an organization with an API key, as the operators' command does. */
export async function createPublisher(
  endpoint: AwsEndpoint,
  organizationsTable: string,
  organization: { name: string; authorityAddress: Address; defaultChainId: number | null; now: Date },
): Promise<Publisher> {
  const { now, ...fields } = organization;
  const client = new DynamoDBClient(clientOptions(endpoint));
  const records = composeRecords({ ORGANIZATIONS_TABLE: organizationsTable }, client);
  const id = uuidv7();
  await createOrganization(records, { id, ...fields, createdAt: now.toISOString() });
  const { key } = await createApiKey(records, { organizationId: id, mode: 'test', now });
  client.destroy();
  return { organizationId: id, apiKey: key };
}
