import codeHashes from './code-hashes.json' with { type: 'json' };
import type { DeployedContract } from './deploy-all.ts';
import { registryAddress } from './registry-address.ts';

/** Compiled artifacts other than those whose hashes were published. */
export class CodeHashMismatchError extends Error {
  override name = 'CodeHashMismatchError';
  constructor({ name, address, codeHash }: DeployedContract, expected: string) {
    super(
      `${name} at ${address} has code hash ${codeHash}, and contracts/deploy/code-hashes.json says ${expected}`,
    );
  }
}

/** Compares the production registry with the published hash; other contracts have none. @throws CodeHashMismatchError */
export function checkCodeHash(contract: DeployedContract): void {
  const { revealDelaySeconds, runtimeCodeHash } = codeHashes.AttestationRegistry;
  if (contract.address !== registryAddress(revealDelaySeconds)) return;
  if (contract.codeHash !== runtimeCodeHash) throw new CodeHashMismatchError(contract, runtimeCodeHash);
}
