import type { Address } from 'viem';
import { type DeploymentClients, deployContract } from './deploy-contract.ts';
import { forwarderDeployment } from './forwarder-deployment.ts';

export interface ForwarderDeploymentOptions extends DeploymentClients {
  /** Address of the registry, which has to exist: the forwarder's constructor fails without it. */
  readonly registry: Address;
  /** Address that manages the operators; in production a multisig. */
  readonly admin: Address;
}

/** Deploys the forwarder through the CREATE2 proxy, unless it is there already, and gives its address. */
export function deployForwarder(options: ForwarderDeploymentOptions): Promise<Address> {
  return deployContract(options, forwarderDeployment(options.registry, options.admin));
}
