import type { Emulator } from '../../lib/emulators.ts';
import { startAnvil } from '../emulator/anvil.ts';
import { type AwsEndpoint, awsEndpoint, checkEndpoint } from '../emulator/aws-endpoint.ts';
import { localStackNeeds, startLocalStack } from '../emulator/localstack.ts';
import { installMiniStack, startMiniStack } from '../emulator/ministack.ts';
import { findPrerequisites } from '../emulator/prerequisites.ts';
import type { Supervisor } from '../process/supervise.ts';
import { type ConnectedChain, connectChain } from './connect-chain.ts';

export interface PlatformOptions {
  /** The environment: `AWS_ENDPOINT_URL` and `RPC_URL` name an emulator and a chain to use instead of new ones. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Prints a line of progress. */
  readonly log: (line: string) => void;
  /** Shows the current step (default: `log`). */
  readonly showStep?: (step: string) => void;
  /** Emulator to start (default: MiniStack). */
  readonly emulator?: Emulator;
  /** Ports of the emulator and the chain (default: free ports). */
  readonly emulatorPort?: number | undefined;
  readonly rpcPort?: number | undefined;
  /** Block time of a new chain (default: 1). */
  readonly blockTimeSeconds?: number;
  /** Aborts the start, and stops everything. */
  readonly signal?: AbortSignal;
}

/** The emulator and the chain that the service runs on. */
export interface Platform {
  readonly endpoint: AwsEndpoint;
  readonly chain: ConnectedChain;
  /** The chain's URL for the functions, which may run in containers. */
  readonly functionsRpcUrl: string;
  readonly stackName: string;
  readonly blockTimeSeconds: number;
}

export const defaultStackName = 'Imprimatur';

const defaultBlockTimeSeconds = 1;

/**
 * An external emulator outlives this stack, and may contain the lane of an earlier stack. So each stack on it has
 * its own name, tables and key.
 */
const nameOnSharedEmulator = () => `${defaultStackName}-${Date.now().toString(36)}`;

/** Installs and starts the chosen emulator. @returns its URL */
async function startEmulator(supervisor: Supervisor, options: PlatformOptions, python: string) {
  const { log, emulatorPort: port } = options;
  if (options.emulator === 'localstack') {
    const { url, version, dynamoDbVersion } = await startLocalStack({ supervisor, python, port, log });
    log(`emulator: LocalStack ${version} with DynamoDB Local ${dynamoDbVersion}, at ${url}`);
    return url;
  }
  const installed = await installMiniStack({ supervisor, python, log });
  const url = await startMiniStack({ supervisor, python: installed, port });
  log(`emulator: MiniStack at ${url}`);
  return url;
}

/** Returns the given emulator, or starts one with `python`. */
async function provideEmulator(supervisor: Supervisor, options: PlatformOptions, python: string | undefined) {
  const { AWS_ENDPOINT_URL: givenUrl } = options.variables;
  if (givenUrl && python === undefined) {
    await checkEndpoint(givenUrl);
    options.log(`emulator: ${givenUrl} (AWS_ENDPOINT_URL)`);
    return awsEndpoint(givenUrl, options.variables);
  }
  const url = await startEmulator(supervisor, options, python ?? 'python3');
  return awsEndpoint(url, {});
}

/** Returns the given chain, or starts one with `anvil`. */
async function provideChain(supervisor: Supervisor, options: PlatformOptions, anvil: string | undefined) {
  const { RPC_URL: givenUrl, IMPRIMATUR_DEPLOYER_PRIVATE_KEY: deployerKey } = options.variables;
  if (givenUrl && anvil === undefined) {
    const chain = await connectChain(givenUrl, deployerKey);
    // Does not print the URL, which may contain a key.
    options.log(`chain: ID ${chain.chainId} (RPC_URL)`);
    return chain;
  }
  const { rpcPort: port, blockTimeSeconds = defaultBlockTimeSeconds } = options;
  const started = await startAnvil({ supervisor, anvil: anvil ?? 'anvil', port, blockTimeSeconds });
  const chain = await connectChain(started, undefined);
  options.log(`chain: ${chain.version} at ${started}, ID ${chain.chainId}`);
  return chain;
}

/** Starts the emulator and the chain, or connects to the given ones. */
export async function startPlatform(supervisor: Supervisor, options: PlatformOptions): Promise<Platform> {
  const { variables, blockTimeSeconds = defaultBlockTimeSeconds } = options;
  const {
    AWS_ENDPOINT_URL: namedEmulator,
    RPC_URL: namedChain,
    FUNCTIONS_RPC_URL: functionsRpcUrl,
  } = variables;
  const needs = options.emulator === 'localstack' ? localStackNeeds : { python: { oldest: 10 } };
  const { python, anvil } = findPrerequisites({ ...(!namedEmulator && needs), chain: !namedChain });
  const [endpoint, chain] = await Promise.all([
    provideEmulator(supervisor, options, python),
    provideChain(supervisor, options, anvil),
  ]);
  return {
    endpoint,
    chain,
    functionsRpcUrl: functionsRpcUrl || chain.rpcUrl,
    stackName: namedEmulator ? nameOnSharedEmulator() : defaultStackName,
    blockTimeSeconds,
  };
}
