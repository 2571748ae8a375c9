import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { composeRecords } from '../functions/adapters/compose-records.ts';
import { readSettings } from '../functions/adapters/environment.ts';
import { kmsSigner } from '../functions/adapters/kms-signer.ts';
import { connectChain } from './connect-chain.ts';
import type { Desk } from './desk.ts';
import { findProviders } from './find-providers.ts';
import type { Target } from './read-target.ts';
import { readStackOutputs } from './stack-outputs.ts';

/** The emulator takes any credentials; in the cloud the SDK finds them, and the region, by itself. */
function clientConfiguration(target: Target) {
  if (target.kind === 'cloud') return {};
  const { endpointUrl: endpoint, region } = target;
  return { endpoint, region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
}

/** The deployment, found by its stack's outputs. @throws StackMissingError, StackOutdatedError */
export async function connect(target: Target): Promise<Desk> {
  const configuration = clientConfiguration(target);
  const outputs = await readStackOutputs(new CloudFormationClient(configuration), target);
  const ssm = new SSMClient(configuration);
  const tables = {
    ATTESTATIONS_TABLE: outputs.AttestationsTable,
    LANES_TABLE: outputs.LanesTable,
    ORGANIZATIONS_TABLE: outputs.OrganizationsTable,
  };
  return {
    records: composeRecords(tables, new DynamoDBClient(configuration)),
    now: () => new Date(),
    settings: async () => readSettings({ SETTINGS: await readParameter(ssm, outputs.SettingsParameter) }),
    signerAddress: async () => {
      const { address } = await kmsSigner(new KMSClient(configuration), outputs.SigningKeyId);
      return address;
    },
    chain: async (settings) => {
      const stored = { ssm, path: outputs.RpcUrlsPath };
      return connectChain(settings, await findProviders(target, settings.chainId, stored));
    },
  };
}

async function readParameter(ssm: SSMClient, name: string): Promise<string> {
  const { Parameter: parameter } = await ssm.send(new GetParameterCommand({ Name: name }));
  return parameter?.Value ?? '';
}
