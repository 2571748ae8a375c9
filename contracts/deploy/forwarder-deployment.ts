import { type Address, concat, encodeAbiParameters, keccak256, toHex } from 'viem';
import { delegateForwarderBytecode } from '../artifacts/delegate-forwarder-bytecode.ts';
import { delegateForwarderRuntime } from '../artifacts/delegate-forwarder-runtime.ts';
import { type ContractDeployment, create2Deployment } from './deployment.ts';

/** Any fixed value works; this one names the project. A change moves the forwarder to another address. */
const salt = keccak256(toHex('imprimatur delegate forwarder'));

/** Computes the deployment of the forwarder with this registry and this first admin. */
export function forwarderDeployment(registry: Address, admin: Address): ContractDeployment {
  const constructorArguments = encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }],
    [registry, admin],
  );
  return create2Deployment({
    contractName: 'DelegateForwarder',
    salt,
    initCode: concat([delegateForwarderBytecode, constructorArguments]),
    runtime: delegateForwarderRuntime,
    // `pad` would keep the checksum's capitals, and code is compared as text.
    immutableWord: encodeAbiParameters([{ type: 'address' }], [registry]),
  });
}
