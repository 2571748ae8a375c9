import type { Address } from 'viem';
import { type DeploymentClients, deployContract } from './deploy-contract.ts';
import { registryDeployment } from './registry-deployment.ts';

export interface RegistryDeploymentOptions extends DeploymentClients {
  /** Minimum time between commit and reveal: 60 in production. */
  readonly revealDelaySeconds: number;
}

/** Deploys the registry through the CREATE2 proxy unless it exists, and returns its address. @throws DeploymentError */
export function deployRegistry(options: RegistryDeploymentOptions): Promise<Address> {
  return deployContract(options, registryDeployment(options.revealDelaySeconds));
}
