import { hostname, userInfo } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { kmsSigner, kmsSigners } from '../../functions/adapters/aws/kms-signer.ts';
import { once } from '../../functions/adapters/aws/once.ts';
import { stepFunctions } from '../../functions/adapters/aws/step-functions.ts';
import { connectProviders } from '../../functions/adapters/chain/providers.ts';
import { viemChain } from '../../functions/adapters/chain/viem-chain.ts';
import { composeRecords } from '../../functions/adapters/compose-records.ts';
import { ChainUnservedError } from '../../functions/domain/errors.ts';
import type { Records } from '../../functions/domain/records.ts';
import type { Services } from '../../functions/domain/services.ts';
import type { ChainSettings, Settings } from '../../functions/domain/settings.ts';
import { connectChain, findProviders, limits, type Providers } from './connect-chain.ts';
import { kmsSignerKeys } from './kms-signer-keys.ts';
import { readSettingsInForce, ssmSettings } from './settings/ssm-settings.ts';
import { readStackOutputs, type StackOutputs } from './stack-outputs.ts';
import type { Target } from './target.ts';

/** The emulator accepts any credentials. In the cloud, the SDK finds credentials and region. */
export function clientConfiguration(target: Target) {
  if (target.kind === 'cloud') return {};
  const { endpointUrl: endpoint, region } = target;
  return { endpoint, region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
}

/**
 * A deployment of the service, on which the commands act. Connecting reads only the stack's outputs and the operator.
 * Everything else is read when a command needs it.
 */
export type Deployment = Awaited<ReturnType<typeof connect>>;

export async function connect(target: Target) {
  const configuration = clientConfiguration(target);
  const [outputs, operator] = await Promise.all([
    readStackOutputs(new CloudFormationClient(configuration), target),
    target.kind === 'cloud' ? callerIdentity() : operatorName(),
  ]);
  const [ssm, kms] = [new SSMClient(configuration), new KMSClient(configuration)];
  const tables = {
    ATTESTATIONS_TABLE: outputs.AttestationsTable,
    LANES_TABLE: outputs.LanesTable,
    QUEUE_TABLE: outputs.QueueTable,
    ORGANIZATIONS_TABLE: outputs.OrganizationsTable,
    WEBHOOKS_TABLE: outputs.WebhooksTable,
  };
  const records: Records = composeRecords(tables, new DynamoDBClient(configuration));
  const { SettingsParameter: settingsParameter, RpcUrlsPath: path } = outputs;
  const settingsStore = ssmSettings(ssm, settingsParameter, path);
  const settings = once(() => readSettingsInForce(settingsStore));
  const providers = ({ chainId }: ChainSettings) => findProviders(target, chainId, { ssm, path });
  return {
    ...{ stackName: target.stackName, records, settingsStore, settings },
    /** Person or role that runs the command, for the audit trail. */
    operator,
    signerKeys: kmsSignerKeys(kms, outputs.SigningKeyId),
    now: () => new Date(),
    signerAddress: async () => (await kmsSigner(kms, outputs.SigningKeyId)).address,
    /** @throws RpcUrlsMissingError */
    chain: async (chain: ChainSettings) => connectChain(chain, await providers(chain)),
    services: async () => {
      const states = new SFNClient(configuration);
      return connectServices({ records, settings: await settings(), outputs, kms, states, providers });
    },
    wait: async (seconds: number): Promise<void> => setTimeout(seconds * 1000),
  };
}

interface Connections {
  readonly records: Records;
  readonly settings: Settings;
  readonly outputs: StackOutputs;
  readonly kms: KMSClient;
  readonly states: SFNClient;
  providers(settings: ChainSettings): Promise<Providers>;
}

/** Connects the services that the domain needs, with the credentials of the operator. */
export function connectServices(connections: Connections): Services {
  const { records, settings, outputs, kms, states, providers } = connections;
  const signerOf = kmsSigners(() => kms);
  const chains = new Map(
    settings.chains.map((chain) => {
      const connect = once(async () => connectProviders((await providers(chain)).urls, chain, limits));
      return [chain.chainId, viemChain({ settings: chain, connect, timeoutMilliseconds: 12_000 })];
    }),
  );
  return {
    ...{ records, settings, now: () => new Date() },
    // The result or the error contains everything that an operator needs.
    log: { info: () => {}, warn: () => {}, error: () => {} },
    executions: stepFunctions(states, {
      attest: outputs.AttestStateMachineArn,
      lane: outputs.LaneStateMachineArn,
    }),
    chain: (chainId) => {
      const chain = chains.get(chainId);
      if (!chain) throw new ChainUnservedError(chainId);
      return chain;
    },
    signer: (keyId) => signerOf(keyId ?? outputs.SigningKeyId),
  };
}

/** ARN of the caller, as in CloudTrail. */
async function callerIdentity(): Promise<string> {
  const { Arn: arn } = await new STSClient().send(new GetCallerIdentityCommand({}));
  return arn ?? operatorName();
}

/** `user@host` of this machine, with the user's number if a container has no name for it. */
export function operatorName(): string {
  let user: string;
  try {
    user = userInfo().username;
  } catch {
    user = `uid ${process.getuid?.() ?? 'unknown'}`;
  }
  return `${user}@${hostname()}`;
}
