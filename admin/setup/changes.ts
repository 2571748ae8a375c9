import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ImprimaturClient } from 'imprimatur-client';
import type { Progress } from 'imprimatur-terminal/progress';
import type { Address } from 'viem';
import { generateApiKey, isApiKey } from '../../functions/domain/organization/api-keys.ts';
import { isTestChain } from '../../functions/domain/requests/test-keys.ts';
import { type ChainSettings, finalitySeconds } from '../../functions/domain/settings.ts';
import type { Environment } from '../../lib/environment/environment.ts';
import { checkout, searchPath, toolsPath } from '../../local/checkout.ts';
import { awsEndpoint } from '../../local/emulator/aws-endpoint.ts';
import type { Supervisor } from '../../local/process/supervise.ts';
import { accountVariables, deployService, runCdkDeploy } from '../../local/stack/deploy-service.ts';
import { changeAccount } from '../account/change-account.ts';
import { issueKey } from '../commands/key.ts';
import { createOrg } from '../commands/org.ts';
import type { Deployment } from '../deployment/connect.ts';
import type { Target } from '../deployment/target.ts';
import { CommandFailedError } from '../terminal/errors.ts';
import { type Payment, type SetupChain, sendOnce } from './chain.ts';

/** Everything that setup changes. Each change can be repeated after a run that died during or after it. */
export type Changes = ReturnType<typeof setupChanges>;

interface ChangeTools {
  /** Name of the environment. */
  readonly name: string;
  readonly target: Target;
  /** Folder of environments. */
  readonly environments: string;
  /** Runs the CDK, and locks the folder for logs and the API key. */
  readonly supervisor: Supervisor;
  readonly progress: Progress;
}

export const apiKeyPath = (directory: string): string => `${directory}/api-key`;

/** The API key of this setup; `undefined` without a file, or if the file contains no valid key. */
export function apiKeyIn(directory: string): string | undefined {
  const path = apiKeyPath(directory);
  const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  return isApiKey(text) ? text : undefined;
}

export function setupChanges({ name, target, environments, supervisor, progress }: ChangeTools) {
  return {
    ...changeAccount(target),
    /** Writes a draft and then renames it, so that a run that dies leaves no incomplete file. */
    writeEnvironment: async (environment: object) => {
      const [path, draft] = [`${environments}/${name}.json`, `${supervisor.directory}/environment.json`];
      writeFileSync(draft, `${JSON.stringify(environment, null, 2)}\n`);
      renameSync(draft, path);
    },
    bootstrap: (environment: Environment) => bootstrap(supervisor, name, environment),
    deployStack: (environment: Environment) => deploy(supervisor, name, target, environment),
    send: (chain: SetupChain, payment: Payment) => sendOnce(chain, payment, progress),
    createOrganization: async (deployment: Deployment, organization: NewOrganization, chainId: number) => {
      await createOrg(deployment, { ...organization, defaultChain: chainId });
    },
    /** Writes the key to a file before the service has it, because the service cannot show it again. */
    createKey: async (deployment: Deployment, organizationId: string, chain: ChainSettings) => {
      const mode = isTestChain(chain) ? 'test' : 'live';
      const found = apiKeyIn(supervisor.directory);
      // The prefix is the mode that the API applies.
      const key = found?.startsWith(`imp_${mode}_`) ? found : generateApiKey(mode);
      const path = apiKeyPath(supervisor.directory);
      // A new file, because writing keeps the permissions of an existing one.
      writeFileSync(`${path}.draft`, `${key}\n`, { mode: 0o600 });
      renameSync(`${path}.draft`, path);
      await issueKey(deployment, { org: organizationId, mode, key });
    },
    /** Attests a text, or continues to wait for it. */
    attest: async (client: ImprimaturClient, content: string, chain: ChainSettings) => {
      const { attestation } = await client.attest(content);
      await client.waitUntilConfirmed(attestation.id, {
        timeoutSeconds: chain.revealDelaySeconds + 2 * finalitySeconds(chain) + marginSeconds,
        onProgress: (shown, elapsedSeconds) => progress.show(shown, elapsedSeconds),
      });
    },
  };
}

type NewOrganization = { readonly name: string; readonly authority: Address };

/** Extra time in seconds for an attestation: cold functions, some blocks, and a sweep. */
const marginSeconds = 300;

/** The CDK synthesizes the app even to bootstrap a named account, so it needs the environment. */
async function bootstrap(
  supervisor: Supervisor,
  name: string,
  { account, region }: Environment,
): Promise<void> {
  const logPath = `${supervisor.directory}/bootstrap.log`;
  const succeeded = await supervisor.run({
    ...{
      name: 'bootstrap',
      command: `${toolsPath}/cdk`,
      args: [
        ...['bootstrap', `aws://${account}/${region}`, '-c', `env=${name}`],
        ...['--output', `${supervisor.directory}/cdk.out`],
      ],
      logPath,
      cwd: checkout,
    },
    env: { PATH: searchPath, HOME: process.env.HOME ?? '/', ...accountVariables(region) },
  });
  if (!succeeded) throw new CommandFailedError(`the bootstrap failed; see the end of ${logPath}`);
}

/**
 * On AWS, the CDK reads the environment's file. For an emulator, it gets only the environment's region, stack name and
 * settings.
 */
async function deploy(
  supervisor: Supervisor,
  name: string,
  target: Target,
  environment: Environment,
): Promise<void> {
  const { region, settings, stackName } = environment;
  if (target.kind === 'cloud') {
    const variables = accountVariables(region);
    await runCdkDeploy(supervisor, { tool: 'cdk', context: { env: name }, variables });
    return;
  }
  const { emulator, endpointUrl } = target;
  const endpoint = awsEndpoint(endpointUrl, { AWS_REGION: region });
  await deployService({ supervisor, endpoint, stackName, settings, emulator });
}
