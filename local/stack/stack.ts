import { rmSync } from 'node:fs';
import type { PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { emulatorApiUrl, stagePathOf } from '../../lib/emulators.ts';
import type { AwsEndpoint } from '../emulator/aws-endpoint.ts';
import { raceWithStop } from '../process/stop-request.ts';
import { Supervisor } from '../process/supervise.ts';
import { ApiProxy } from '../proxy/api-proxy.ts';
import type { ConnectedChain } from './connect-chain.ts';
import { createPublisher } from './create-publisher.ts';
import { delegateAuthority } from './delegate-authority.ts';
import { deployService, type StackOutputs, signerAddress, storeRpcUrl } from './deploy-service.ts';
import { defaultStackName, type Platform, type PlatformOptions, startPlatform } from './platform.ts';
import { deployContracts, stackContracts } from './stack-contracts.ts';
import { removeStackFile, type StackFile, writeStackFile } from './stack-file.ts';
import { type DelegateChoice, type SettingsInput, stackSettings } from './stack-settings.ts';

export interface StackOptions extends PlatformOptions {
  /** Port of the API (default: the first free port from 4800; 0: any free port). */
  readonly port?: number | undefined;
  /** Directory of the stack's files. Stacks with different directories are independent. */
  readonly directory: string;
  /** Reveal delay of the contract and the service; 60 in production. */
  readonly revealDelaySeconds: number;
  /** Delegate of the publisher's authority (default: `key`). Other authorities can use either. */
  readonly delegate?: DelegateChoice;
  /** Depth at which a block of a development chain is final (default: 1). */
  readonly confirmations?: number;
  /** Settings that differ from the defaults. */
  readonly settings?: Partial<SettingsInput>;
}

/** A running service with one publisher, whose authority has delegated to it. */
export interface Stack {
  readonly file: StackFile;
  readonly outputs: StackOutputs;
  readonly endpoint: AwsEndpoint;
  readonly chain: ConnectedChain;
  /** The publisher's authority. */
  readonly authority: PrivateKeyAccount;
  /** Stops everything that was started. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts the whole service: contracts, CDK app and publisher, and an emulator and a chain unless the environment names
 * them. Stops everything if a step fails.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const supervisor = await Supervisor.open(options.directory);
  removeStackFile(options.directory);
  const proxy = new ApiProxy();
  const stop = async () => {
    removeStackFile(options.directory);
    await proxy.close();
    await supervisor.stop();
    rmSync(`${options.directory}/tmp`, { recursive: true, force: true });
  };
  try {
    const apiUrl = await proxy.listen(options.port);
    const started = startService(supervisor, proxy, { ...options, apiUrl });
    return { ...(await raceWithStop(options.signal, started)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface ServiceOptions extends StackOptions {
  /** URL of the API at the proxy. */
  readonly apiUrl: string;
}

async function startService(
  supervisor: Supervisor,
  proxy: ApiProxy,
  options: ServiceOptions,
): Promise<Omit<Stack, 'stop'>> {
  const platform = await startPlatform(supervisor, options);
  (options.showStep ?? options.log)('deploying the contracts and the service');
  const [outputs] = await Promise.all([
    deployStack(supervisor, platform, options),
    deployContracts(platform.chain, options.revealDelaySeconds),
  ]);
  proxy.forwardTo(emulatorApiUrl(platform.endpoint.url, outputs.ApiUrl), stagePathOf(outputs.ApiUrl));
  const authority = privateKeyToAccount(generatePrivateKey());
  const file = await createStackFile(platform, outputs, authority, options);
  writeStackFile(options.directory, file);
  return { file, outputs, authority, endpoint: platform.endpoint, chain: platform.chain };
}

async function deployStack(supervisor: Supervisor, platform: Platform, options: StackOptions) {
  const { endpoint, chain, stackName } = platform;
  const { revealDelaySeconds, delegate = 'key', confirmations = 1 } = options;
  const contracts = stackContracts(chain, revealDelaySeconds);
  await storeRpcUrl(endpoint, stackName, { chainId: chain.chainId, rpcUrl: platform.functionsRpcUrl });
  const settings = stackSettings(
    { ...chain, ...platform, ...contracts, revealDelaySeconds, delegate, confirmations },
    options.settings ?? {},
  );
  return deployService({ supervisor, endpoint, stackName, settings, emulator: options.emulator });
}

async function createStackFile(
  { endpoint, chain, stackName }: Platform,
  outputs: StackOutputs,
  authority: PrivateKeyAccount,
  { apiUrl, revealDelaySeconds, delegate, emulator, log }: ServiceOptions,
): Promise<StackFile> {
  const { chainId, rpcUrl } = chain;
  const { address: authorityAddress } = authority;
  const contracts = stackContracts(chain, revealDelaySeconds);
  const signer = await signerAddress(endpoint, outputs.SigningKeyId);
  const delegateAddress = delegate === 'forwarder' ? contracts.forwarderAddress : signer;
  const parties = { ...contracts, delegateAddress, signerAddress: signer };
  log(`creating an organization with authority ${authorityAddress}, which delegates to ${describe(parties)}`);
  const organization = { name: 'Local', authorityAddress, defaultChainId: chainId, now: new Date() };
  const [publisher] = await Promise.all([
    createPublisher(endpoint, outputs.OrganizationsTable, organization),
    delegateAuthority(chain, { ...parties, authority }),
  ]);
  return {
    apiUrl,
    ...{ ...publisher, authorityAddress, chainId, rpcUrl, ...parties, revealDelaySeconds },
    emulator: emulator ?? 'ministack',
    endpointUrl: endpoint.url,
    region: endpoint.region,
    ...(stackName === defaultStackName ? {} : { stackName }),
  };
}

function describe({ delegateAddress, signerAddress }: Pick<StackFile, 'delegateAddress' | 'signerAddress'>) {
  if (delegateAddress === signerAddress) return `the signing key ${signerAddress}`;
  return `the forwarder ${delegateAddress} of the signing key ${signerAddress}`;
}
