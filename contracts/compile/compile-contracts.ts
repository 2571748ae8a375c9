import { readFileSync } from 'node:fs';
import solc from 'solc';
import { z } from 'zod';
import { type ContractName, contractNames } from './contract-names.ts';
import { solcInput } from './solc-input.ts';

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

/** Failure of the compilation, or a warning; the message is the compiler's. */
export class ContractCompilationError extends Error {}

export type CompiledContract = z.infer<typeof contractSchema>;

/** Resolves the compiler's imports of packages: `@openzeppelin/contracts/…`. */
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
