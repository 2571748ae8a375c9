import type { Address } from 'viem';
import { registryDeployment } from './registry-deployment.ts';

/** Where the registry with this reveal delay is or would be, on every chain that has the CREATE2 proxy. */
export function registryAddress(revealDelaySeconds: number): Address {
  return registryDeployment(revealDelaySeconds).address;
}
