import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { DeleteParameterCommand, ParameterType, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { addressOfPublicKey } from '../../../functions/adapters/aws/kms-signer.ts';
import { connectChain } from '../../../local/stack/connect-chain.ts';
import { delegateAuthority } from '../../../local/stack/delegate-authority.ts';
import type { StackOutputs } from '../../../local/stack/deploy-service.ts';
import type { SettingsInput } from '../../../local/stack/stack-settings.ts';
import type { TableNames } from '../../restore/restore-tables.ts';
import { demand, until } from '../demand.ts';
import { removeEnvironment, type SmokeEnvironment, writeEnvironment } from '../smoke-environment.ts';
import { askAdmin } from './ask-admin.ts';
import { bootstrapProblem, logPathOf, runCdk } from './cdk.ts';
import type { Place, Service } from './place.ts';
import { deleteTables, leftTables, restoreToMoment } from './point-in-time.ts';
import {
  callerOf,
  checkPayer,
  leftovers,
  leftParameters,
  refuseEndpoints,
  refuseLeftovers,
} from './preconditions.ts';
import { describeStack, isChanging, stackStatus } from './stack-resources.ts';

interface Given {
  /** RPC URLs of the chain, which are secrets. */
  readonly rpcUrls: readonly string[];
  /** Private key that pays on the chain. */
  readonly deployerKey: string | undefined;
}

/** Makes the place in an account of AWS. Nothing is asked or changed before a function is called. */
export function awsPlace(environment: SmokeEnvironment, given: Given): Place {
  const { region, account, stackName, chain } = environment;
  const aws = { region };
  let changes: Partial<SettingsInput> = {};
  let outputs: StackOutputs | undefined;
  const begun = { stack: false };
  const cdk = (command: 'deploy' | 'destroy', allAtOnce: boolean) => {
    writeEnvironment(environment, changes);
    begun.stack = true;
    return runCdk(command, { environment, allAtOnce });
  };
  return {
    isAws: true,
    keepsData: false,
    title: `account ${account} in ${region}, chain ${chain.chainId} (${chain.name})`,
    ...{ stackName, aws },
    adminOptions: ['--stack', stackName],
    check: async (forWhat) => {
      refuseEndpoints(process.env);
      const caller = await callerOf(environment);
      if (forWhat === 'removal') return caller;
      refuseLeftovers(environment, await leftovers(environment), removalOf(environment));
      await checkPayer(environment, given);
      return caller;
    },
    bootstrapProblem: async () => {
      const stack = await describeStack({ aws, stackName });
      return bootstrapProblem(stack?.RoleARN, readFileSync(logPathOf(environment, 'deploy'), 'utf8'));
    },
    deploy: async (waitFor) => {
      begun.stack = true;
      await putRpcUrls(environment, given.rpcUrls);
      waitFor('deploying the stack, some five minutes');
      outputs = await cdk('deploy', true);
      waitFor('making a publisher, and its delegation on the chain');
      return makePublisher(environment, outputs, given);
    },
    update: async (changed, allAtOnce) => {
      changes = { ...changes, ...changed };
      outputs = await cdk('deploy', allAtOnce);
    },
    settings: () => ({ ...environment.file.settings, ...changes }),
    markMoment: async () => {
      const names = tableNames(outputs);
      const moment = new Date();
      // Tables are restored to whole seconds.
      await pause(2_000);
      return { restore: () => restoreToMoment({ aws, stackName }, names, moment) };
    },
    destroy: async (waitFor) => {
      begun.stack = true;
      await until(`nothing changes the stack ${stackName}`, { minutes: 60, everySeconds: 10 }, async () => {
        const status = await stackStatus({ aws, stackName });
        if (isChanging(status)) waitFor(`CloudFormation is at it: ${status}`);
        return !isChanging(status);
      });
      waitFor(`destroying the stack ${stackName}`);
      await cdk('destroy', false);
      const tables = await leftTables(aws, stackName);
      if (tables.length > 0) waitFor(`deleting ${tables.length} restored tables`);
      await deleteTables(aws, tables);
      await removeParameters(environment);
      removeEnvironment(environment);
      begun.stack = false;
    },
    leftBehind: () => (begun.stack ? remains(environment) : []),
    stop: async () => undefined,
  };
}

function tableNames(outputs: StackOutputs | undefined): TableNames {
  demand(outputs !== undefined, 'nothing is deployed yet');
  const { AttestationsTable: attestations, LanesTable: lanes, QueueTable: queue } = outputs;
  const { OrganizationsTable: organizations, WebhooksTable: webhooks } = outputs;
  return { attestations, lanes, queue, organizations, webhooks };
}

const rpcUrlsParameter = ({ stackName, chain }: SmokeEnvironment) =>
  `/${stackName}/rpc-urls/${chain.chainId}`;

async function putRpcUrls(environment: SmokeEnvironment, urls: readonly string[]): Promise<void> {
  const Name = rpcUrlsParameter(environment);
  const put = { Name, Value: urls.join('\n'), Type: ParameterType.SECURE_STRING, Overwrite: true };
  await new SSMClient({ region: environment.region }).send(new PutParameterCommand(put));
}

async function makePublisher(
  environment: SmokeEnvironment,
  outputs: StackOutputs,
  { rpcUrls: [rpcUrl = ''], deployerKey }: Given,
): Promise<Service> {
  const { chain, region } = environment;
  const connected = await connectChain(rpcUrl, deployerKey);
  demand(connected.chainId === chain.chainId, `the RPC URL is of chain ${connected.chainId}`);
  const authority = privateKeyToAccount(generatePrivateKey());
  const admin = (...argv: string[]) => askAdmin(['--stack', environment.stackName], argv);
  const named = ['--name', 'Smoke', '--authority', authority.address];
  const { id } = await admin('org', 'create', ...named);
  const { key } = await admin('key', 'create', '--org', String(id), '--mode', 'test');
  const { PublicKey: der } = await new KMSClient({ region }).send(
    new GetPublicKeyCommand({ KeyId: outputs.SigningKeyId }),
  );
  demand(der !== undefined, 'KMS gives no public key');
  const delegateAddress = addressOfPublicKey(der);
  await delegateAuthority(connected, { registryAddress: chain.registryAddress, authority, delegateAddress });
  return {
    ...{ apiUrl: outputs.ApiUrl, apiKey: String(key), organizationId: String(id), rpcUrl, outputs },
    chainId: chain.chainId,
    registryAddress: chain.registryAddress,
    revealDelaySeconds: chain.revealDelaySeconds,
  };
}

async function removeParameters(environment: SmokeEnvironment): Promise<void> {
  const ssm = new SSMClient({ region: environment.region });
  for (const Name of await leftParameters(environment)) await ssm.send(new DeleteParameterCommand({ Name }));
}

/** Command that removes what a run left. */
const removalOf = ({ name }: Pick<SmokeEnvironment, 'name'>): string =>
  `npm run smoke -- --env ${name.replace(/-smoke$/, '')} --destroy`;

/** All that a run makes which was not destroyed, and how to remove it. */
export function remains(environment: Pick<SmokeEnvironment, 'name' | 'stackName' | 'region'>): string[] {
  const { name, stackName, region } = environment;
  return [
    `in ${region} the stack ${stackName}, perhaps being changed, with tables, a KMS key and logs`,
    `tables named ${stackName}-restored-…, if the restore had begun`,
    `SSM parameters below /${stackName}/, the RPC URLs among them`,
    `environments/${name}.json on this machine, from which it is destroyed`,
    `all of it goes with: ${removalOf(environment)}`,
  ];
}
