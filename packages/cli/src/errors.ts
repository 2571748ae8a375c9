import type { Attestation, Chain } from 'imprimatur-client';

interface CommandErrorOptions {
  readonly exitCode?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A failure that is shown without its stack. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly details: Readonly<Record<string, unknown>>;
  constructor(message: string, { exitCode = 1, details = {} }: CommandErrorOptions = {}) {
    super(message);
    this.exitCode = exitCode;
    this.details = details;
  }
}

/** An error in the command line, in a named file or in the environment. Nothing was sent. */
export class UsageInvalidError extends CommandError {
  constructor(message: string) {
    super(message, { exitCode: 2 });
  }
}

export const chainNotServed = (chainId: number, served: readonly Chain[]) =>
  new CommandError(`the service does not serve chain ${chainId}; it serves: ${chainNames(served)}`);

export const chainNames = (chains: readonly Chain[]): string =>
  chains.map(({ chainId, name }) => `${chainId} (${name})`).join(', ') || 'none';

export class ProofUnwrittenError extends CommandError {
  constructor(path: string, attestation: Attestation) {
    super(
      `the attestation is confirmed, but ${path} cannot be written; run the command again with another --proof`,
      {
        details: { attestation },
      },
    );
  }
}

const interruptedMessage =
  'interrupted; the service continues with what it accepted; you can run the command again';

/** Ctrl-C or a termination signal. Shells expect the exit code 128 plus the signal's number. */
export class InterruptedError extends CommandError {
  constructor(exitCode: number, message = interruptedMessage, details: { readonly id?: string } = {}) {
    super(message, { exitCode, details });
  }
}
