import type { Attestation, Chain } from 'imprimatur-client';

/** A failure with one line for the person at the terminal. */
export abstract class CommandError extends Error {
  abstract readonly exitCode: number;
  /** Fields for scripts, in addition to the message. */
  readonly details: Readonly<Record<string, unknown>> = {};
}

/** An error in the command line, in a file that it names or in the environment; nothing was sent. */
export class UsageInvalidError extends CommandError {
  override readonly name = 'UsageInvalidError';
  override readonly exitCode = 2;
}

/** An error of the verifier as one of usage, where it is of these kinds; any other as it is. */
export function asUsage(error: unknown, kinds: readonly (abstract new (...args: never) => Error)[]): unknown {
  const isUsage = error instanceof Error && kinds.some((kind) => error instanceof kind);
  return isUsage ? new UsageInvalidError(error.message, { cause: error }) : error;
}

/** A quote that cannot be proven. */
export class QuoteFailedError extends CommandError {
  override readonly name = 'QuoteFailedError';
  override readonly exitCode = 1;
}

/** A signature that is not the authority's, or a file of authorities that does not hold. */
export class AuthorityUnprovenError extends CommandError {
  override readonly name = 'AuthorityUnprovenError';
  override readonly exitCode = 1;
}

/** A delegation that cannot be signed: its registry takes none, or nobody tells the authority's nonce. */
export class DelegationUnsignableError extends CommandError {
  override readonly name = 'DelegationUnsignableError';
  override readonly exitCode = 1;
}

/** A chain that cannot be watched on from where the watch was. */
export class WatchBrokenError extends CommandError {
  override readonly name = 'WatchBrokenError';
  override readonly exitCode = 1;
}

/** A chain that was named and that the service does not serve. */
export class ChainUnservedError extends CommandError {
  override readonly name = 'ChainUnservedError';
  override readonly exitCode = 1;
  constructor(chainId: number, served: readonly Chain[], options?: ErrorOptions) {
    const names = served.map((chain) => `${chain.chainId} (${chain.name})`).join(', ') || 'none';
    super(`the service does not serve chain ${chainId}; its chains: ${names}`, options);
  }
}

/** The time-out passed, and the service goes on. */
export class UnfinishedError extends CommandError {
  override readonly name = 'UnfinishedError';
  override readonly exitCode = 3;
  override readonly details: { readonly attestation: Attestation };
  constructor(message: string, attestation: Attestation, options?: ErrorOptions) {
    super(message, options);
    this.details = { attestation };
  }
}

/** The attestation is confirmed, and its proof file could not be written. */
export class ProofUnwrittenError extends CommandError {
  override readonly name = 'ProofUnwrittenError';
  override readonly exitCode = 1;
  override readonly details: { readonly attestation: Attestation };
  constructor(path: string, attestation: Attestation, options?: ErrorOptions) {
    super(
      `it is confirmed, but ${path} cannot be written; the same command with another --proof writes it`,
      options,
    );
    this.details = { attestation };
  }
}

const stopped = 'interrupted; what the service has accepted goes on, and the same command may be run again';

/** Ctrl-C, or a request to end; the exit code is the one that shells expect: 128 and the signal's number. */
export class InterruptedError extends CommandError {
  override readonly name = 'InterruptedError';
  override readonly exitCode: 130 | 143;
  constructor(exitCode: 130 | 143, message = stopped, details: { readonly id?: string } = {}) {
    super(message);
    this.exitCode = exitCode;
    this.details = details;
  }
  override readonly details: Readonly<Record<string, unknown>>;
}
