import { deployForwarder } from 'imprimatur-contracts/deploy/deploy-forwarder';
import { deployRegistry } from 'imprimatur-contracts/deploy/deploy-registry';
import { forwarderDeployment } from 'imprimatur-contracts/deploy/forwarder-deployment';
import { registryAddress } from 'imprimatur-contracts/deploy/registry-deployment';
import type { Address } from 'viem';
import type { ConnectedChain } from './connect-chain.ts';

/** Addresses of a stack's contracts; the forwarder's admin is the chain's deployer. */
export type StackContracts = ReturnType<typeof stackContracts>;

const adminOf = ({ walletClient }: ConnectedChain): Address => walletClient.account.address;

/** Computes the contracts' addresses before the deployment, because the service's settings contain them. */
export function stackContracts(chain: ConnectedChain, revealDelaySeconds: number) {
  const registry = registryAddress(revealDelaySeconds);
  const { address: forwarderAddress } = forwarderDeployment(registry, adminOf(chain));
  return { registryAddress: registry, forwarderAddress };
}

/** Deploys the contracts that are missing. */
export async function deployContracts(chain: ConnectedChain, revealDelaySeconds: number): Promise<void> {
  const registry = await deployRegistry({ ...chain, revealDelaySeconds });
  await deployForwarder({ ...chain, registry, admin: adminOf(chain) });
}
