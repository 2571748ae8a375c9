import { readdirSync, readFileSync } from 'node:fs';

const sourceDirectory = new URL('../src/', import.meta.url);

function sources(): Record<string, { content: string }> {
  const names = readdirSync(sourceDirectory).filter((name) => name.endsWith('.sol'));
  return Object.fromEntries(
    names.sort().map((name) => [name, { content: readFileSync(new URL(name, sourceDirectory), 'utf8') }]),
  );
}

/**
 * Makes the compiler's input. All settings are pinned: the registry has one address on every chain only if its bytes
 * never vary.
 */
export function solcInput() {
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
