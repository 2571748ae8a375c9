import { readFileSync, writeFileSync } from 'node:fs';
import { KMSClient } from '@aws-sdk/client-kms';
import { ParameterType, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { Address } from 'viem';
import { kmsSigner } from '../../functions/adapters/aws/kms-signer.ts';
import { rpcUrlsPath } from '../../functions/domain/settings-changes.ts';
import { type Emulator, emulatorAccount } from '../../lib/emulators.ts';
import { checkout, searchPath, toolsPath } from '../checkout.ts';
import { type AwsEndpoint, awsVariables, clientOptions } from '../emulator/aws-endpoint.ts';
import type { Supervisor } from '../process/supervise.ts';
import { PlainError } from '../terminal/plain-error.ts';
import type { SettingsInput } from './stack-settings.ts';

/** Outputs of the deployed stack, as the CDK app names them. */
export interface StackOutputs {
  readonly ApiUrl: string;
  readonly AttestationsTable: string;
  readonly LanesTable: string;
  readonly QueueTable: string;
  readonly OrganizationsTable: string;
  readonly WebhooksTable: string;
  readonly SigningKeyId: string;
  readonly AttestStateMachineArn: string;
  readonly LaneStateMachineArn: string;
  readonly RpcUrlsPath: string;
  readonly OperatorsRole: string;
  readonly CustodiansRole: string;
}

export interface ServiceDeployment {
  readonly supervisor: Supervisor;
  readonly endpoint: AwsEndpoint;
  readonly stackName: string;
  readonly settings: SettingsInput;
  /** Emulator to make the template for (default: MiniStack). */
  readonly emulator?: Emulator | undefined;
  /** Folder of the repository to deploy (default: this one). */
  readonly repository?: string;
}

/** Deploys the CDK app without the features that emulators lack. */
export async function deployService(deployment: ServiceDeployment): Promise<StackOutputs> {
  const { supervisor, endpoint, stackName, settings, emulator = 'ministack' } = deployment;
  const settingsPath = `${supervisor.directory}/settings.json`;
  await createAssetBucket(endpoint);
  writeFileSync(settingsPath, JSON.stringify(settings, null, 2));
  return runCdkDeploy(supervisor, {
    tool: 'cdklocal',
    context: { emulator, settings: settingsPath, stackName },
    variables: awsVariables(endpoint),
    ...(deployment.repository !== undefined && { repository: deployment.repository }),
  });
}

interface CdkDeployment extends Pick<ServiceDeployment, 'repository'> {
  readonly tool: 'cdk' | 'cdklocal';
  readonly context: Readonly<Record<string, string>>;
  /** Variables for AWS. */
  readonly variables: Readonly<Record<string, string>>;
}

const passedVariables = /^(AWS_.*|(HTTPS?|NO)_PROXY|NODE_EXTRA_CA_CERTS)$/i;

/** Variables for the CDK in an AWS account. It finds its credentials and the network's proxy as the user's tools do. */
export function accountVariables(region: string, variables: NodeJS.ProcessEnv = process.env) {
  const given = Object.entries(variables).filter(([name]) => passedVariables.test(name));
  return { ...(Object.fromEntries(given) as Record<string, string>), AWS_REGION: region };
}

/** Deploys the only stack of the CDK app. */
export async function runCdkDeploy(
  supervisor: Supervisor,
  { tool, context, variables, repository = checkout }: CdkDeployment,
): Promise<StackOutputs> {
  const { directory } = supervisor;
  const outputsPath = `${directory}/outputs.json`;
  const logPath = `${directory}/deploy.log`;
  const deployed = await supervisor.run({
    name: 'deploy',
    command: `${toolsPath}/${tool}`,
    args: [
      ...['deploy', '--require-approval', 'never', '--outputs-file', outputsPath],
      ...['--output', `${directory}/cdk.out`],
      ...Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    env: { PATH: searchPath, HOME: process.env.HOME ?? '/', ...variables },
    logPath,
    cwd: repository,
  });
  if (!deployed) throw new PlainError(`The deployment of the service failed. See the end of ${logPath}.`);
  const [outputs] = Object.values<StackOutputs>(JSON.parse(readFileSync(outputsPath, 'utf8')));
  if (!outputs) throw new PlainError(`The deployment wrote no outputs to ${outputsPath}.`);
  return outputs;
}

/** Makes the body of a request for a bucket: the region, or nothing for the default region. */
function location(region: string): RequestInit {
  if (region === 'us-east-1') return {};
  const constraint = `<LocationConstraint>${region}</LocationConstraint>`;
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
  return {
    body: `<CreateBucketConfiguration xmlns="${namespace}">${constraint}</CreateBucketConfiguration>`,
  };
}

/**
 * Creates the bucket for function bundles, unless it exists. The app needs nothing else from a CDK bootstrap, which would
 * take longer than the deployment.
 */
async function createAssetBucket({ url, region }: AwsEndpoint): Promise<void> {
  const bucket = `${url}/cdk-hnb659fds-assets-${emulatorAccount}-${region}`;
  const response = await fetch(bucket, { method: 'PUT', ...location(region) });
  // Without a signature, the emulator returns 403 for an existing bucket.
  if (!response.ok && response.status !== 409 && response.status !== 403)
    throw new PlainError(`The emulator rejects a bucket: ${response.status} ${response.statusText}`);
}

/** Reads the address of the service's signing key. */
export async function signerAddress(endpoint: AwsEndpoint, keyId: string): Promise<Address> {
  const kms = new KMSClient(clientOptions(endpoint));
  const { address } = await kmsSigner(kms, keyId);
  kms.destroy();
  return address;
}

/** Stores the chain's RPC URL in the SSM parameter below the stack's `RpcUrlsPath`, as operators do. */
export async function storeRpcUrl(
  endpoint: AwsEndpoint,
  stackName: string,
  chain: { chainId: number; rpcUrl: string },
): Promise<void> {
  const ssm = new SSMClient(clientOptions(endpoint));
  const Name = `${rpcUrlsPath(stackName)}/${chain.chainId}`;
  const Value = chain.rpcUrl;
  await ssm.send(
    new PutParameterCommand({ Name, Value, Type: ParameterType.SECURE_STRING, Overwrite: true }),
  );
  ssm.destroy();
}
