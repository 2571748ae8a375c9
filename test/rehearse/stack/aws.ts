import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import {
  DeleteParameterCommand,
  PutParameterCommand,
  paginateGetParametersByPath,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { addressOfPublicKey } from '../../../functions/adapters/aws/kms-signer.ts';
import { checkout } from '../../../local/checkout.ts';
import { Supervisor } from '../../../local/process/supervise.ts';
import { connectChain } from '../../../local/stack/connect-chain.ts';
import { delegateAuthority } from '../../../local/stack/delegate-authority.ts';
import { runCdkDeploy, type StackOutputs } from '../../../local/stack/deploy-service.ts';
import type { SettingsInput } from '../../../local/stack/stack-settings.ts';
import { demand, until } from '../run.ts';
import { askAdmin, type Place, type Service } from '../scene.ts';
import { deleteStack, describeStack, isChanging } from './cloudformation.ts';
import {
  callerOf,
  checkPayer,
  type Payment,
  removalOf,
  removeEnvironment,
  type SmokeEnvironment,
  writeEnvironment,
} from './environment.ts';
import { deleteLeftTables, noteMoment, tablesNamed, tablesOf } from './tables.ts';

export interface AwsPlace extends Place {
  /** Checks the prerequisites before anything is created. @returns the caller's ARN */
  check(forWhat: 'run' | 'removal'): Promise<string>;
}

/** Makes the place in an AWS account, without a request. */
export function awsPlace(environment: SmokeEnvironment, pay: Payment, log: (line: string) => void): AwsPlace {
  const { region, account, stackName, chain } = environment;
  const stack = { aws: { region }, stackName };
  let changes: Partial<SettingsInput> = {};
  let outputs: StackOutputs | undefined;
  const deployed = (): StackOutputs => {
    demand(outputs !== undefined, 'nothing is deployed yet');
    return outputs;
  };
  let isBegun = false;
  const place: AwsPlace = {
    ...stack,
    isAws: true,
    title: `account ${account} in ${region}, chain ${chain.chainId} (${chain.name}), stack ${stackName}`,
    version: checkout,
    adminOptions: ['--stack', stackName],
    check: async (forWhat) => {
      const caller = await callerOf(environment);
      if (forWhat === 'removal') return caller;
      const left = [...(await tablesNamed(stack)), ...(await leftParameters(environment))];
      if (await describeStack(stack)) left.push(`the stack ${stackName}`);
      const removal = removalOf(environment);
      demand(left.length === 0, `an earlier run left ${left.join(', ')}; remove it first: ${removal}`);
      await checkPayer(environment, pay);
      return caller;
    },
    deploy: async () => {
      isBegun = true;
      await putRpcUrls(environment, pay.rpcUrls);
      log('deploying the stack, about 5 minutes');
      await place.update({}, true);
      log('creating a publisher and its delegation');
      return makePublisher(place, environment, deployed(), pay);
    },
    update: async (changed, allAtOnce) => {
      changes = { ...changes, ...changed };
      writeEnvironment(environment, changes);
      outputs = await cdkDeploy(environment, allAtOnce ? { allAtOnce: 'true' } : {});
    },
    settings: () => ({ ...environment.file.settings, ...changes }),
    markMoment: () => noteMoment(stack, tablesOf(deployed())),
    destroy: async () => {
      isBegun = true;
      await until(`nothing changes the stack ${stackName}`, { minutes: 60, everySeconds: 10 }, async () => {
        const status = (await describeStack(stack))?.StackStatus;
        if (isChanging(status)) log(`waiting for CloudFormation: ${status}`);
        return !isChanging(status);
      });
      log(`destroying the stack ${stackName} and the restored tables`);
      await deleteStack(stack);
      await deleteLeftTables(stack);
      const ssm = new SSMClient({ region });
      for (const Name of await leftParameters(environment))
        await ssm.send(new DeleteParameterCommand({ Name }));
      removeEnvironment(environment);
      isBegun = false;
    },
    leftBehind: () => (isBegun ? remains(environment) : []),
    stop: async () => undefined,
  };
  return place;
}

async function leftParameters({ region, stackName }: SmokeEnvironment): Promise<string[]> {
  const left: string[] = [];
  const asked = { Path: `/${stackName}/`, Recursive: true };
  const client = new SSMClient({ region });
  for await (const { Parameters: page = [] } of paginateGetParametersByPath({ client }, asked))
    left.push(...page.flatMap(({ Name: name }) => name ?? []));
  return left;
}

async function putRpcUrls({ region, stackName, chain }: SmokeEnvironment, urls: readonly string[]) {
  const Name = `/${stackName}/rpc-urls/${chain.chainId}`;
  const put = { Name, Value: urls.join('\n'), Type: 'SecureString', Overwrite: true } as const;
  await new SSMClient({ region }).send(new PutParameterCommand(put));
}

async function makePublisher(
  place: Place,
  { chain, region }: SmokeEnvironment,
  outputs: StackOutputs,
  { rpcUrls: [rpcUrl = ''], deployerKey }: Payment,
): Promise<Service> {
  const { chainId, registryAddress, revealDelaySeconds } = chain;
  const authority = privateKeyToAccount(generatePrivateKey());
  const { id } = await askAdmin(place, 'org', 'create', '--name', 'Smoke', '--authority', authority.address);
  const { key } = await askAdmin(place, 'key', 'create', '--org', String(id), '--mode', 'test');
  const { PublicKey: der } = await new KMSClient({ region }).send(
    new GetPublicKeyCommand({ KeyId: outputs.SigningKeyId }),
  );
  demand(der !== undefined, 'KMS returned no public key');
  const signerAddress = addressOfPublicKey(der);
  const connected = await connectChain(rpcUrl, deployerKey);
  await delegateAuthority(connected, { registryAddress, authority, delegateAddress: signerAddress });
  const publisher = { apiUrl: outputs.ApiUrl, apiKey: String(key), organizationId: String(id), outputs };
  return { ...publisher, chainId, rpcUrl, registryAddress, signerAddress, revealDelaySeconds };
}

async function cdkDeploy({ name, region }: SmokeEnvironment, more: Readonly<Record<string, string>>) {
  // The CDK needs the user's AWS variables for its credentials.
  const ofAws = Object.entries(process.env).filter(([variable]) => variable.startsWith('AWS_'));
  const variables = { ...Object.fromEntries(ofAws), AWS_REGION: region } as Record<string, string>;
  const supervisor = await Supervisor.open(`${checkout}/.local/rehearse/${name}`);
  try {
    return await runCdkDeploy(supervisor, { tool: 'cdk', context: { env: name, ...more }, variables });
  } finally {
    await supervisor.stop();
  }
}

export function remains(environment: SmokeEnvironment): string[] {
  const { name, stackName, region } = environment;
  return [
    `in ${region} the stack ${stackName}, possibly changing, with tables, a KMS key and logs`,
    `tables named ${stackName}-restored-…, SSM parameters below /${stackName}/, environments/${name}.json`,
    `to remove all of it, run: ${removalOf(environment)}`,
  ];
}
