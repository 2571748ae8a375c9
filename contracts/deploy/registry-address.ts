import type { Address } from 'viem';
import { registryDeployment } from './registry-deployment.ts';

/** Computes the address of the registry with this reveal delay, on every chain that has the CREATE2 proxy. */
export function registryAddress(revealDelaySeconds: number): Address {
  return registryDeployment(revealDelaySeconds).address;
}
