import type { Address } from 'viem';
import { deployForwarder } from '../../contracts/deploy/deploy-forwarder.ts';
import { deployRegistry } from '../../contracts/deploy/deploy-registry.ts';
import { forwarderDeployment } from '../../contracts/deploy/forwarder-deployment.ts';
import { registryAddress } from '../../contracts/deploy/registry-address.ts';
import type { ConnectedChain } from './connect-chain.ts';

/** The contracts of a stack. */
export interface StackContracts {
  readonly registryAddress: Address;
  /** Its admin is the chain's deployer. */
  readonly forwarderAddress: Address;
}

const adminOf = ({ walletClient }: ConnectedChain): Address => walletClient.account.address;

/** Where they are or will be: known before they are deployed, so that the service's settings can name them. */
export function stackContracts(chain: ConnectedChain, revealDelaySeconds: number): StackContracts {
  const registry = registryAddress(revealDelaySeconds);
  const { address: forwarderAddress } = forwarderDeployment(registry, adminOf(chain));
  return { registryAddress: registry, forwarderAddress };
}

/** Deploys those that are not there yet. @throws ProxyMissingError, ContractMissingError, ContractCodeMismatchError */
export async function deployContracts(chain: ConnectedChain, revealDelaySeconds: number): Promise<void> {
  const registry = await deployRegistry({ ...chain, revealDelaySeconds });
  await deployForwarder({ ...chain, registry, admin: adminOf(chain) });
}
