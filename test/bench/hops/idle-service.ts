import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { type Address, createTestClient, http } from 'viem';
import { composeRecords } from '../../../functions/adapters/compose-records.ts';
import type { Records } from '../../../functions/domain/records.ts';
import type { Environment } from '../../../functions/domain/settings.ts';
import { type AwsEndpoint, awsVariables, clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { createPublisher } from '../../../local/stack/create-publisher.ts';
import { signerAddress, storeRpcUrl } from '../../../local/stack/deploy-service.ts';
import { createTables } from '../../fakes/real/real-aws.ts';
import { startSharedEmulator } from '../../fakes/real/real-emulator.ts';
import { type BenchChain, startBenchChain } from '../bench-chain.ts';
import { type RecordedRequest, startCountingProxy } from './counting-proxy.ts';
import type { FunctionCall } from './run-functions.ts';

const name = 'bench-hops';

/** An authority that has not delegated. */
const undelegatedAuthority = '0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a';

/** The real handlers behind counting proxies. Only calls of the bench have an effect. */
export interface IdleService {
  readonly recorded: RecordedRequest[];
  readonly chainId: number;
  readonly signerAddress: Address;
  readonly organizationId: string;
  /** Keys of a publisher whose authority has delegated, and of one whose authority has not. */
  readonly apiKey: string;
  readonly undelegatedApiKey: string;
  /** The tables, read without the proxy and so not counted. */
  readonly records: Records;
  /** Calls a handler; one call at a time. */
  call(call: FunctionCall): Promise<unknown>;
  mine(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an emulator, anvil, and the handlers in a thread that logs to the file. */
export async function startIdleService(logPath: string, log: (line: string) => void): Promise<IdleService> {
  const recorded: RecordedRequest[] = [];
  const { endpoint, stop: stopEmulator } = await startSharedEmulator(log);
  const keyId = await createKey(endpoint);
  const signer = await signerAddress(endpoint, keyId);
  const benchChain = await startBenchChain(1, 'key', signer);
  const { chainId, rpcUrl } = benchChain.chain;
  const [awsProxy, chainProxy] = await Promise.all([
    startCountingProxy(endpoint.url, recorded),
    startCountingProxy(rpcUrl, recorded),
  ]);
  await storeRpcUrl(endpoint, name, { chainId, rpcUrl: chainProxy.url });
  const dynamo = new DynamoDBClient(clientOptions(endpoint));
  const environment = await environmentOf(dynamo, keyId, benchChain);
  const env = { ...awsVariables({ ...endpoint, url: awsProxy.url }), ...environment };
  const worker = new Worker(new URL('run-functions.ts', import.meta.url), { env, stdout: true });
  worker.stdout.pipe(createWriteStream(logPath));
  const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl) });
  await node.setIntervalMining({ interval: 0 });
  return {
    ...{ recorded, chainId, signerAddress: signer, records: composeRecords(environment, dynamo) },
    ...(await createPublishers(endpoint, environment.ORGANIZATIONS_TABLE, benchChain)),
    async call(call) {
      worker.postMessage(call);
      const [answer] = await once(worker, 'message');
      return answer;
    },
    mine: () => node.mine({ blocks: 1 }),
    async stop() {
      await worker.terminate();
      await Promise.all([awsProxy.close(), chainProxy.close(), benchChain.stop(), stopEmulator()]);
    },
  };
}

async function createKey(endpoint: AwsEndpoint): Promise<string> {
  const kms = new KMSClient(clientOptions(endpoint));
  const create = new CreateKeyCommand({ KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' });
  return (await kms.send(create)).KeyMetadata?.KeyId ?? '';
}

async function createPublishers(
  endpoint: AwsEndpoint,
  table: string,
  { chain, authorityAddress }: BenchChain,
) {
  const publisher = (address: Address) => {
    const organization = { name, authorityAddress: address, defaultChainId: chain.chainId, now: new Date() };
    return createPublisher(endpoint, table, organization);
  };
  const { apiKey: undelegatedApiKey } = await publisher(undelegatedAuthority);
  return { ...(await publisher(authorityAddress)), undelegatedApiKey };
}

async function environmentOf(
  dynamo: DynamoDBClient,
  keyId: string,
  { settings }: BenchChain,
): Promise<Environment> {
  const tables = await createTables(dynamo, name);
  return {
    ATTESTATIONS_TABLE: tables.attestations,
    LANES_TABLE: tables.lanes,
    QUEUE_TABLE: tables.queue,
    ORGANIZATIONS_TABLE: tables.organizations,
    WEBHOOKS_TABLE: tables.webhooks,
    ATTEST_STATE_MACHINE_ARN: 'attest',
    LANE_STATE_MACHINE_ARN: 'lane',
    LANE_DEFINITION: '',
    SIGNING_KEY_ID: keyId,
    RPC_URLS_PATH: `/${name}/rpc-urls`,
    SETTINGS_CHANGES: `/${name}/settings-changes`,
    SETTINGS: JSON.stringify(settings),
    ROUTES: '{}',
    POWERTOOLS_METRICS_NAMESPACE: name,
    POWERTOOLS_SERVICE_NAME: name,
  };
}
