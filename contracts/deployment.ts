import {
  type Address,
  concat,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  keccak256,
  toHex,
} from 'viem';
import { attestationRegistryBytecode } from './artifacts/attestation-registry-bytecode.ts';
import { attestationRegistryRuntime } from './artifacts/attestation-registry-runtime.ts';

/** The deterministic deployment proxy, at this address on every chain: github.com/Arachnid/deterministic-deployment-proxy. */
export const create2ProxyAddress: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c';

/** Any fixed value does; this one says whose it is. A change of it moves the registry to another address. */
const salt = keccak256(toHex('imprimatur attestation registry'));

const revealDelayWord = (revealDelaySeconds: number): Hex =>
  encodeAbiParameters([{ type: 'uint256' }], [BigInt(revealDelaySeconds)]);

/** What one reveal delay makes of the registry: the same bytes and the same address on every chain. */
export interface Deployment {
  readonly address: Address;
  /** The calldata for the proxy: salt, then init code. */
  readonly proxyCalldata: Hex;
  /** The code the registry has once deployed, immutables filled in. */
  readonly runtimeCode: Hex;
}

function runtimeCode(revealDelaySeconds: number): Hex {
  const { code, revealDelayOffsetsBytes } = attestationRegistryRuntime;
  const word = revealDelayWord(revealDelaySeconds).slice(2);
  const filled = revealDelayOffsetsBytes.reduce((hex: string, offset) => {
    const start = 2 + offset * 2;
    return hex.slice(0, start) + word + hex.slice(start + word.length);
  }, code);
  return `0x${filled.slice(2)}`;
}

/** Computed offline from the compiled registry. @throws RangeError from BigInt unless the delay is an integer. */
export function registryDeployment(revealDelaySeconds: number): Deployment {
  const initCode = concat([attestationRegistryBytecode, revealDelayWord(revealDelaySeconds)]);
  return {
    address: getContractAddress({ opcode: 'CREATE2', from: create2ProxyAddress, salt, bytecode: initCode }),
    proxyCalldata: concat([salt, initCode]),
    runtimeCode: runtimeCode(revealDelaySeconds),
  };
}
