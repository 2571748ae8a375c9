import { type CompiledContract, type ContractName, isDeployed } from './compile-contracts.ts';

const header =
  '// Written by contracts/compile/compile.ts from contracts/src; `node contracts/compile/compile.ts` writes it again.\n';

type AbiItem = CompiledContract['abi'][number];

/** JSON of one entry in one line, without `internalType`, which no code reads. */
function itemJson(item: AbiItem): string {
  return JSON.stringify(item, (key, value) => (key === 'internalType' ? undefined : value));
}

function itemName({ type, name }: AbiItem): string | undefined {
  return name && `${inCamelCase(name)}${type.replace(/^[a-z]/, (letter) => letter.toUpperCase())}`;
}

/** A contract's ABI: each entry, all errors, and the whole. A bundle contains only the entries that it uses. */
function abiText(variable: string, abi: CompiledContract['abi']): string {
  const named = abi.flatMap((item) => {
    const name = itemName(item);
    return name ? [`export const ${name} = ${itemJson(item)} as const;\n`] : [];
  });
  const list = (items: readonly AbiItem[]) =>
    items.map((item) => itemName(item) ?? itemJson(item)).join(',\n');
  const errors = abi.filter(({ type }) => type === 'error');
  return [
    ...named,
    ...(errors.length > 0 ? [`export const ${variable}Errors = [\n${list(errors)}\n] as const;\n`] : []),
    `export const ${variable}Abi = [\n${list(abi)}\n] as const;\n`,
  ].join('\n');
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

function runtimeText(variable: string, contract: CompiledContract): string {
  return (
    `${header}export const ${variable}Runtime = {\n` +
    `  code: '0x${contract.evm.deployedBytecode.object}',\n` +
    `  immutableOffsetsBytes: [${immutableOffsets(contract).join(', ')}],\n} as const;\n`
  );
}

function filesOf(name: ContractName, contract: CompiledContract): (readonly [file: string, text: string])[] {
  const { bytecode } = contract.evm;
  const file = inKebabCase(name);
  const variable = inCamelCase(name);
  return [
    [`${file}-abi.ts`, `${header}${abiText(variable, contract.abi)}`],
    [`${file}-bytecode.ts`, `${header}export const ${variable}Bytecode = '0x${bytecode.object}' as const;\n`],
    ...(isDeployed(name) ? [[`${file}-runtime.ts`, runtimeText(variable, contract)] as const] : []),
  ];
}

/** Makes the committed artifacts by file name. The ABI has its own file to keep bundles small. */
export function artifactFiles(contracts: Map<ContractName, CompiledContract>): Map<string, string> {
  return new Map([...contracts].flatMap(([name, contract]) => filesOf(name, contract)));
}
