import solc from 'solc';
import { z } from 'zod';
import { solcInput } from './solc-input.ts';

const outputSchema = z.object({
  errors: z.array(z.object({ formattedMessage: z.string() })).default([]),
  contracts: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

const contractSchema = z.object({
  abi: z.array(z.unknown()),
  evm: z.object({
    bytecode: z.object({ object: z.string() }),
    deployedBytecode: z.object({
      object: z.string(),
      immutableReferences: z.record(z.string(), z.array(z.object({ start: z.number(), length: z.number() }))),
    }),
  }),
});

/** The sources do not compile, or not without a warning; the message is the compiler's. */
export class ContractCompilationError extends Error {
  override name = 'ContractCompilationError';
}

export type CompiledContract = z.infer<typeof contractSchema>;

/** Compiles the registry with solcjs. @throws ContractCompilationError */
export function compileRegistry(): CompiledContract {
  const { errors, contracts } = outputSchema.parse(JSON.parse(solc.compile(JSON.stringify(solcInput()))));
  if (errors.length > 0) {
    throw new ContractCompilationError(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  }
  return contractSchema.parse(contracts?.['AttestationRegistry.sol']?.AttestationRegistry);
}
