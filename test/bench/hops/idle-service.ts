import { readFileSync } from 'node:fs';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { CreateStateMachineCommand, DescribeStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Environment } from '../../../functions/domain/settings.ts';
import { type AwsEndpoint, awsVariables, clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { createPublisher } from '../../../local/stack/create-publisher.ts';
import { delegateAuthority } from '../../../local/stack/delegate-authority.ts';
import { signerAddress, storeRpcUrl } from '../../../local/stack/deploy-service.ts';
import type { Stack } from '../../../local/stack/stack.ts';
import { createIdleTables } from './idle-tables.ts';

/** Longer than any bench. */
const waitSeconds = 3600;

const definition = JSON.stringify({
  StartAt: 'Stay',
  States: { Stay: { Type: 'Wait', Seconds: waitSeconds, End: true } },
});

/**
 * State machines whose executions start and then wait: the functions' calls are real, and no execution acts on them.
 */
async function createIdleMachines({ endpoint, outputs }: Stack, prefix: string) {
  const client = new SFNClient(clientOptions(endpoint));
  // A machine needs a role that exists.
  const deployed = new DescribeStateMachineCommand({ stateMachineArn: outputs.AttestStateMachineArn });
  const { roleArn } = await client.send(deployed);
  const create = async (name: string): Promise<string> => {
    const { stateMachineArn } = await client.send(
      new CreateStateMachineCommand({ name, definition, roleArn }),
    );
    return stateMachineArn ?? '';
  };
  const [attest, lane] = await Promise.all([create(`${prefix}-attest`), create(`${prefix}-lane`)]);
  client.destroy();
  return { ATTEST_STATE_MACHINE_ARN: attest, LANE_STATE_MACHINE_ARN: lane };
}

/** A signing key of the bench's own, and so a lane that the deployed service does not know. */
async function createIdleSigner(
  endpoint: AwsEndpoint,
): Promise<{ SIGNING_KEY_ID: string; address: Address }> {
  const client = new KMSClient(clientOptions(endpoint));
  const create = new CreateKeyCommand({ KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' });
  const { KeyMetadata: metadata } = await client.send(create);
  client.destroy();
  const id = metadata?.KeyId ?? '';
  return { SIGNING_KEY_ID: id, address: await signerAddress(endpoint, id) };
}

/** Options that set an idle service apart, and the endpoints of the emulator and the chain for its functions. */
export interface IdleOptions {
  /** Prefix of the names of tables, state machines and parameters. */
  readonly prefix: string;
  readonly awsUrl: string;
  readonly rpcUrl: string;
}

/**
 * A second service beside the deployed one, with the same settings and registry and with its own tables, key and state
 * machines, so that only calls of the bench change them.
 */
export interface IdleService {
  readonly variables: Record<string, string>;
  readonly tables: Pick<Environment, Extract<keyof Environment, `${string}_TABLE`>>;
  readonly signerAddress: Address;
  readonly organizationId: string;
  /** Keys of a publisher whose authority has delegated, and of one whose authority has not. */
  readonly apiKey: string;
  readonly strangerApiKey: string;
}

async function createPublishers(stack: Stack, organizationsTable: string, delegateAddress: Address) {
  const { chain, endpoint, file } = stack;
  const publisher = (name: string, authorityAddress: Address) =>
    createPublisher(endpoint, organizationsTable, {
      ...{ name, authorityAddress, defaultChainId: chain.chainId, now: new Date() },
    });
  const authority = privateKeyToAccount(generatePrivateKey());
  const { registryAddress } = file;
  await delegateAuthority(chain, { registryAddress, authority, delegateAddress });
  const { apiKey, organizationId } = await publisher('Bench', authority.address);
  const stranger = await publisher('Stranger', privateKeyToAccount(generatePrivateKey()).address);
  return { organizationId, apiKey, strangerApiKey: stranger.apiKey };
}

/** Creates an idle service. @param settingsPath path of the deployed functions' settings */
export async function createIdleService(
  stack: Stack,
  { prefix, awsUrl, rpcUrl }: IdleOptions,
  settingsPath: string,
): Promise<IdleService> {
  const { endpoint, chain } = stack;
  const { SIGNING_KEY_ID, address } = await createIdleSigner(endpoint);
  const tables = await createIdleTables(endpoint, stack.outputs, prefix);
  const machines = await createIdleMachines(stack, prefix);
  await storeRpcUrl(endpoint, prefix, { chainId: chain.chainId, rpcUrl });
  const environment: Environment = {
    ...{ ...tables, ...machines, SIGNING_KEY_ID },
    RPC_URLS_PATH: `/${prefix}/rpc-urls`,
    SETTINGS_CHANGES: `/${prefix}/settings-changes`,
    LANE_DEFINITION: '',
    SETTINGS: JSON.stringify(JSON.parse(readFileSync(settingsPath, 'utf8'))),
    ROUTES: '{}',
    ...{ POWERTOOLS_METRICS_NAMESPACE: prefix, POWERTOOLS_SERVICE_NAME: prefix },
  };
  return {
    variables: { ...awsVariables({ ...endpoint, url: awsUrl }), ...environment },
    tables,
    signerAddress: address,
    ...(await createPublishers(stack, tables.ORGANIZATIONS_TABLE, address)),
  };
}
