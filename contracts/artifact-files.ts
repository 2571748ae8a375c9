import type { CompiledContract } from './compile-registry.ts';

const header =
  '// Written by contracts/compile.ts from contracts/src; `node contracts/compile.ts` writes it again.\n';

/** `internalType` repeats Solidity's own names, which nothing here reads and every bundle would carry. */
function abiJson(abi: CompiledContract['abi']): string {
  return JSON.stringify(abi, (key, value) => (key === 'internalType' ? undefined : value), 2);
}

/** Where the constructor's argument, the one immutable, stands in the runtime code. */
function immutableOffsets({ evm }: CompiledContract): number[] {
  return Object.values(evm.deployedBytecode.immutableReferences)
    .flat()
    .map(({ start }) => start);
}

/** The committed artifacts by file name. The ABI is apart, so that bundles which need it alone stay small. */
export function artifactFiles(contract: CompiledContract): Map<string, string> {
  const { bytecode, deployedBytecode } = contract.evm;
  return new Map([
    [
      'attestation-registry-abi.ts',
      `${header}export const attestationRegistryAbi = ${abiJson(contract.abi)} as const;\n`,
    ],
    [
      'attestation-registry-bytecode.ts',
      `${header}export const attestationRegistryBytecode = '0x${bytecode.object}' as const;\n`,
    ],
    [
      'attestation-registry-runtime.ts',
      `${header}export const attestationRegistryRuntime = {\n` +
        `  code: '0x${deployedBytecode.object}',\n` +
        `  revealDelayOffsetsBytes: [${immutableOffsets(contract).join(', ')}],\n} as const;\n`,
    ],
  ]);
}
