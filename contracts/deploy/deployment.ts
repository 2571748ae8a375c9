import { type Address, concat, getContractAddress, type Hex } from 'viem';

/** The deterministic deployment proxy, at this address on every chain: github.com/Arachnid/deterministic-deployment-proxy. */
export const create2ProxyAddress: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c';

/** A contract with its constructor arguments, which has the same address on every chain. */
export interface ContractDeployment {
  readonly contractName: string;
  readonly address: Address;
  /** The calldata for the proxy: salt, then init code. */
  readonly proxyCalldata: Hex;
  /** The deployed code with its immutables. */
  readonly runtimeCode: Hex;
}

export interface DeploymentParts {
  readonly contractName: string;
  readonly salt: Hex;
  readonly initCode: Hex;
  /** The compiled runtime code, with zeros in place of the immutable. */
  readonly runtime: { readonly code: Hex; readonly immutableOffsetsBytes: readonly number[] };
  /** The 32 bytes at each of those offsets. */
  readonly immutableWord: Hex;
}

function fillImmutable({ runtime, immutableWord }: DeploymentParts): Hex {
  const word = immutableWord.slice(2);
  const filled = runtime.immutableOffsetsBytes.reduce((hex: string, offset) => {
    const start = 2 + offset * 2;
    return hex.slice(0, start) + word + hex.slice(start + word.length);
  }, runtime.code);
  return `0x${filled.slice(2)}`;
}

export function create2Deployment(parts: DeploymentParts): ContractDeployment {
  const { contractName, salt, initCode } = parts;
  return {
    contractName,
    address: getContractAddress({ opcode: 'CREATE2', from: create2ProxyAddress, salt, bytecode: initCode }),
    proxyCalldata: concat([salt, initCode]),
    runtimeCode: fillImmutable(parts),
  };
}
