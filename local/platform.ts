import { startAnvil } from './anvil.ts';
import { type AwsEndpoint, awsEndpoint } from './aws-endpoint.ts';
import { type ConnectedChain, connectChain } from './connect-chain.ts';
import { startEmulator } from './emulator.ts';
import { installEmulator } from './install-emulator.ts';
import { findPrerequisites } from './prerequisites.ts';
import type { Supervisor } from './supervise.ts';

export interface PlatformOptions {
  /** The environment: `AWS_ENDPOINT_URL` and `RPC_URL` name an emulator and a chain to use instead of our own. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** One line of progress for the person who waits. */
  readonly log: (line: string) => void;
  /** Of the emulator and of the chain; any free one by default. */
  readonly port?: number | undefined;
  readonly rpcPort?: number | undefined;
  /** Of the chain started here; 1 by default. */
  readonly blockTimeSeconds?: number;
  /** Gives up the start, whatever is under way, and stops what runs by then. */
  readonly signal?: AbortSignal;
}

/** What the service runs on. */
export interface Platform {
  readonly endpoint: AwsEndpoint;
  readonly chain: ConnectedChain;
  /** The chain as functions reach it, which in containers is another address. */
  readonly functionsRpcUrl: string;
  readonly stackName: string;
  readonly blockTimeSeconds: number;
}

/**
 * An emulator of others outlives this stack, and may hold the last one's lane for a chain that is gone: each stack
 * there gets a name, and so tables and a key, of its own.
 */
const nameOnSharedEmulator = () => `Imprimatur-${Date.now().toString(36)}`;

/** Starts, or finds, the emulator and the chain. @throws PlainError subclasses, each a line on what to do */
export async function startPlatform(supervisor: Supervisor, options: PlatformOptions): Promise<Platform> {
  const { variables, log, blockTimeSeconds = 1 } = options;
  const { AWS_ENDPOINT_URL: endpointUrl, RPC_URL: rpcUrl } = variables;
  const { python, anvil } = findPrerequisites({ emulator: !endpointUrl, chain: !rpcUrl });
  const startedEndpoint = async () => {
    if (python === undefined) return endpointUrl ?? '';
    const installed = await installEmulator({ supervisor, python, log });
    return startEmulator({ supervisor, python: installed, port: options.port });
  };
  const startedChain = async () => {
    if (anvil === undefined) return rpcUrl ?? '';
    return startAnvil({ supervisor, anvil, port: options.rpcPort, blockTimeSeconds });
  };
  const [endpoint, chainUrl] = await Promise.all([startedEndpoint(), startedChain()]);
  const chain = await connectChain(chainUrl, variables.IMPRIMATUR_DEPLOYER_PRIVATE_KEY);
  log(python ? `emulator: MiniStack at ${endpoint}` : `emulator: AWS_ENDPOINT_URL, ${endpoint}`);
  // A provider's URL may hold a key.
  log(anvil ? `chain: anvil at ${chainUrl}, id ${chain.chainId}` : `chain: RPC_URL, id ${chain.chainId}`);
  return {
    endpoint: awsEndpoint(endpoint, python ? {} : variables),
    chain,
    functionsRpcUrl: variables.FUNCTIONS_RPC_URL || chainUrl,
    stackName: python ? 'Imprimatur' : nameOnSharedEmulator(),
    blockTimeSeconds,
  };
}
