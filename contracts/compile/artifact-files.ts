import type { CompiledContract } from './compile-contracts.ts';
import type { ContractName } from './contract-names.ts';

const header =
  '// Written by contracts/compile/compile.ts from contracts/src; `node contracts/compile/compile.ts` writes it again.\n';

/** `internalType` repeats Solidity's own names, which no code here reads and every bundle would carry. */
function abiJson(abi: CompiledContract['abi']): string {
  return JSON.stringify(abi, (key, value) => (key === 'internalType' ? undefined : value), 2);
}

/** Offsets of the one immutable of each contract in the runtime code. */
function immutableOffsets({ evm }: CompiledContract): number[] {
  return Object.values(evm.deployedBytecode.immutableReferences)
    .flat()
    .map(({ start }) => start);
}

/** AttestationRegistry → attestation-registry */
const inKebabCase = (name: string) => name.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase();

/** AttestationRegistry → attestationRegistry */
const inCamelCase = (name: string) => name.replace(/^[A-Z]/, (letter) => letter.toLowerCase());

function filesOf(name: ContractName, contract: CompiledContract): [file: string, text: string][] {
  const { bytecode, deployedBytecode } = contract.evm;
  const file = inKebabCase(name);
  const variable = inCamelCase(name);
  return [
    [`${file}-abi.ts`, `${header}export const ${variable}Abi = ${abiJson(contract.abi)} as const;\n`],
    [`${file}-bytecode.ts`, `${header}export const ${variable}Bytecode = '0x${bytecode.object}' as const;\n`],
    [
      `${file}-runtime.ts`,
      `${header}export const ${variable}Runtime = {\n` +
        `  code: '0x${deployedBytecode.object}',\n` +
        `  immutableOffsetsBytes: [${immutableOffsets(contract).join(', ')}],\n} as const;\n`,
    ],
  ];
}

/** Makes the committed artifacts, by file name. The ABI is apart, so that bundles which need it alone stay small. */
export function artifactFiles(contracts: Map<ContractName, CompiledContract>): Map<string, string> {
  return new Map([...contracts].flatMap(([name, contract]) => filesOf(name, contract)));
}
