import { type Address, concat, encodeAbiParameters, keccak256, toHex } from 'viem';
import { attestationRegistryBytecode } from '../artifacts/attestation-registry-bytecode.ts';
import { attestationRegistryRuntime } from '../artifacts/attestation-registry-runtime.ts';
import { type ContractDeployment, create2Deployment } from './deployment.ts';

/** Any fixed value works; this one names the project. A change moves the registry to another address. */
const salt = keccak256(toHex('imprimatur attestation registry'));

/**
 * Computes the deployment of the registry with this reveal delay.
 * @throws RangeError from BigInt unless the delay is an integer.
 */
export function registryDeployment(revealDelaySeconds: number): ContractDeployment {
  const immutableWord = encodeAbiParameters([{ type: 'uint256' }], [BigInt(revealDelaySeconds)]);
  return create2Deployment({
    contractName: 'AttestationRegistry',
    salt,
    initCode: concat([attestationRegistryBytecode, immutableWord]),
    runtime: attestationRegistryRuntime,
    immutableWord,
  });
}

/** Computes the address of the registry with this reveal delay, on every chain that has the CREATE2 proxy. */
export const registryAddress = (revealDelaySeconds: number): Address =>
  registryDeployment(revealDelaySeconds).address;
