import { concat, encodeAbiParameters, keccak256, toHex } from 'viem';
import { attestationRegistryBytecode } from '../artifacts/attestation-registry-bytecode.ts';
import { attestationRegistryRuntime } from '../artifacts/attestation-registry-runtime.ts';
import { type ContractDeployment, create2Deployment } from './deployment.ts';

/** Any fixed value does; this one says whose it is. A change of it moves the registry to another address. */
const salt = keccak256(toHex('imprimatur attestation registry'));

/** The registry with this reveal delay. @throws RangeError from BigInt unless the delay is an integer. */
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
