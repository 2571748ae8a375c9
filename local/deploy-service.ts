import { readFileSync, writeFileSync } from 'node:fs';
import { type AwsEndpoint, awsVariables } from './aws-endpoint.ts';
import { checkout, searchPath, toolsPath } from './checkout.ts';
import { createAssetBucket } from './create-asset-bucket.ts';
import { PlainError } from './plain-error.ts';
import type { SettingsInput } from './stack-settings.ts';
import type { Supervisor } from './supervise.ts';

export class ServiceDeployError extends PlainError {
  override readonly name = 'ServiceDeployError';
}

/** What the deployed stack says of itself; the CDK app names them. */
export interface StackOutputs {
  readonly ApiUrl: string;
  readonly AttestationsTable: string;
  readonly LanesTable: string;
  readonly OrganizationsTable: string;
  readonly SigningKeyId: string;
  readonly AttestStateMachineArn: string;
  readonly LaneStateMachineArn: string;
  readonly RpcUrlsPath: string;
}

export interface ServiceDeployment {
  readonly supervisor: Supervisor;
  readonly endpoint: AwsEndpoint;
  readonly stackName: string;
  readonly settings: SettingsInput;
}

/** Deploys the CDK app, the same as for AWS but for what emulators lack. @throws ServiceDeployError */
export async function deployService(deployment: ServiceDeployment): Promise<StackOutputs> {
  const { supervisor, endpoint, stackName, settings } = deployment;
  const { directory } = supervisor;
  const settingsPath = `${directory}/settings.json`;
  const outputsPath = `${directory}/outputs.json`;
  const logPath = `${directory}/deploy.log`;
  await createAssetBucket(endpoint);
  writeFileSync(settingsPath, JSON.stringify(settings, null, 2));
  const context = { emulator: 'true', settings: settingsPath, stackName };
  const deployed = await supervisor.run({
    name: 'deploy',
    command: `${toolsPath}/cdklocal`,
    args: [
      ...['deploy', '--require-approval', 'never', '--outputs-file', outputsPath],
      ...['--output', `${directory}/cdk.out`],
      ...Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    env: { PATH: searchPath, HOME: process.env.HOME ?? '/', ...awsVariables(endpoint) },
    logPath,
    cwd: checkout,
  });
  if (!deployed) throw new ServiceDeployError(`the service cannot be deployed: see the end of ${logPath}`);
  return (
    Object.values<StackOutputs>(JSON.parse(readFileSync(outputsPath, 'utf8')))[0] ?? missing(outputsPath)
  );
}

function missing(outputsPath: string): never {
  throw new ServiceDeployError(`the deployment wrote no outputs to ${outputsPath}`);
}

/** The API's address on the emulator: on AWS the host names the API, an emulator has one host for all. */
export function emulatorApiUrl(endpointUrl: string, apiUrl: string): string {
  const { host, pathname } = new URL(apiUrl);
  return `${endpointUrl}/restapis/${host.split('.')[0]}${pathname.replace(/\/$/, '')}/_user_request_`;
}
