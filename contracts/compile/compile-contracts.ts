import { readdirSync, readFileSync } from 'node:fs';
import solc from 'solc';
import { z } from 'zod';

/** Deployed contracts; each has a source file of its name. */
const deployedNames = ['AttestationRegistry', 'DelegateForwarder'] as const;

/** Contracts with artifacts; `eth_call` runs the last one. */
const contractNames = [...deployedNames, 'RegistryStates'] as const;

export type ContractName = (typeof contractNames)[number];

export function isDeployed(name: ContractName): boolean {
  return deployedNames.some((deployed) => deployed === name);
}

const sourceDirectory = new URL('../src/', import.meta.url);

function sources(): Record<string, { content: string }> {
  const names = readdirSync(sourceDirectory).filter((name) => name.endsWith('.sol'));
  return Object.fromEntries(
    names.sort().map((name) => [name, { content: readFileSync(new URL(name, sourceDirectory), 'utf8') }]),
  );
}

/** Makes the compiler's input. All settings are pinned, because the registry's address depends on its bytes. */
function solcInput() {
  return {
    language: 'Solidity',
    sources: sources(),
    settings: {
      evmVersion: 'cancun',
      viaIR: true,
      optimizer: { enabled: true, runs: 1_000_000 },
      metadata: { bytecodeHash: 'none' },
      outputSelection: {
        '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode', 'storageLayout'] },
      },
    },
  };
}

const outputSchema = z.object({
  errors: z.array(z.object({ formattedMessage: z.string() })).default([]),
  contracts: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

const contractSchema = z.object({
  abi: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })),
  storageLayout: z.object({ storage: z.array(z.object({ label: z.string(), slot: z.string() })) }),
  evm: z.object({
    bytecode: z.object({ object: z.string() }),
    deployedBytecode: z.object({
      object: z.string(),
      immutableReferences: z.record(z.string(), z.array(z.object({ start: z.number(), length: z.number() }))),
    }),
  }),
});

export class ContractCompilationError extends Error {}

export type CompiledContract = z.infer<typeof contractSchema>;

function readImport(path: string) {
  try {
    return { contents: readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), 'utf8') };
  } catch {
    return { error: `${path} is not installed` };
  }
}

/** Compiles all contracts with solcjs. @throws ContractCompilationError */
export function compileContracts(): Map<ContractName, CompiledContract> {
  const output = solc.compile(JSON.stringify(solcInput()), { import: readImport });
  const { errors, contracts } = outputSchema.parse(JSON.parse(output));
  if (errors.length > 0) {
    throw new ContractCompilationError(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  }
  return new Map(
    contractNames.map((name) => [name, contractSchema.parse(contracts?.[`${name}.sol`]?.[name])]),
  );
}
