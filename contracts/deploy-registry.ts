import type { Account, Address, Chain, Client, Transport } from 'viem';
import { getCode, sendTransaction, waitForTransactionReceipt } from 'viem/actions';
import { create2ProxyAddress, type Deployment, registryDeployment } from './deployment.ts';

export interface RegistryDeploymentOptions {
  readonly publicClient: Client;
  /** Pays for the deployment; the registry is the same whoever does. */
  readonly walletClient: Client<Transport, Chain | undefined, Account>;
  /** The least time between commit and reveal: 60 in production. */
  readonly revealDelaySeconds: number;
}

/** The chain lacks the CREATE2 proxy, without which the registry would have another address there. */
export class ProxyMissingError extends Error {
  override name = 'ProxyMissingError';
  constructor() {
    super(`the chain has no CREATE2 proxy at ${create2ProxyAddress}; deploy that first`);
  }
}

/** The deployment left no code where the registry should be. */
export class RegistryMissingError extends Error {
  override name = 'RegistryMissingError';
  constructor(address: Address, options?: ErrorOptions) {
    super(`the deployment left no registry at ${address}`, options);
  }
}

/** Other code than the compiled registry's is where the registry should be. */
export class RegistryCodeMismatchError extends Error {
  override name = 'RegistryCodeMismatchError';
  constructor(address: Address) {
    super(`the code at ${address} is not that of the compiled registry`);
  }
}

/** @returns whether the registry is there. @throws RegistryCodeMismatchError */
async function isDeployed(publicClient: Client, deployment: Deployment): Promise<boolean> {
  const code = await getCode(publicClient, { address: deployment.address });
  if (code === undefined) return false;
  if (code !== deployment.runtimeCode) throw new RegistryCodeMismatchError(deployment.address);
  return true;
}

async function sendDeployment(options: RegistryDeploymentOptions, data: Deployment['proxyCalldata']) {
  const { publicClient, walletClient } = options;
  const { account, chain } = walletClient;
  const hash = await sendTransaction(walletClient, { account, chain, to: create2ProxyAddress, data });
  await waitForTransactionReceipt(publicClient, { hash });
}

/**
 * Deploys the registry through the CREATE2 proxy, unless it is there already, and gives its address.
 * @throws ProxyMissingError, RegistryMissingError, RegistryCodeMismatchError
 */
export async function deployRegistry(options: RegistryDeploymentOptions): Promise<Address> {
  const { publicClient, revealDelaySeconds } = options;
  const deployment = registryDeployment(revealDelaySeconds);
  if (await isDeployed(publicClient, deployment)) return deployment.address;
  if ((await getCode(publicClient, { address: create2ProxyAddress })) === undefined)
    throw new ProxyMissingError();
  // The proxy refuses a second deployment: a failure is none when someone else's came first.
  const failure = await sendDeployment(options, deployment.proxyCalldata).catch((cause: unknown) => ({
    cause,
  }));
  if (await isDeployed(publicClient, deployment)) return deployment.address;
  throw new RegistryMissingError(deployment.address, failure ?? undefined);
}
