import type { Address } from 'viem';
import { type DeploymentClients, deployContract } from './deploy-contract.ts';
import { forwarderDeployment } from './forwarder-deployment.ts';

export interface ForwarderDeploymentOptions extends DeploymentClients {
  readonly registry: Address;
  /** Address that manages the operators; in production a multisig. */
  readonly admin: Address;
}

/** Deploys the forwarder through the CREATE2 proxy unless it exists, and returns its address. @throws DeploymentError */
export function deployForwarder(options: ForwarderDeploymentOptions): Promise<Address> {
  return deployContract(options, forwarderDeployment(options.registry, options.admin));
}
