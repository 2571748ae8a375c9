import type { Address } from 'viem';
import { ExpectedError } from './errors.ts';

export class SignerMissingError extends ExpectedError {
  constructor(chainId: number, address: Address) {
    super(`chain ${chainId} has no signer ${address}; \`signer list --chain ${chainId}\` shows them`);
  }
}

/** A key that leaked once never signs again. */
export class SignerRevokedError extends ExpectedError {
  constructor(address: Address) {
    super(`the signer ${address} is revoked for good; rotate to a new one`);
  }
}

/** Nobody could send after it. */
export class SignerLastError extends ExpectedError {
  constructor(address: Address) {
    super(
      `${address} is the only signer left; rotate first, or repeat with --force: nothing is sent until another is added`,
    );
  }
}
