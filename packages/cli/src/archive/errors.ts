import { CommandError } from '../errors.ts';

/** A manifest that cannot be gone on with; nothing was sent. */
export class ManifestInvalidError extends CommandError {
  override readonly name = 'ManifestInvalidError';
  override readonly exitCode = 2;
}

/** A manifest that another run is at work on; nothing was sent. */
export class ManifestTakenError extends CommandError {
  override readonly name = 'ManifestTakenError';
  override readonly exitCode = 2;
}

/** A manifest that cannot be written. What was sent is found again by its content. */
export class ManifestUnwrittenError extends CommandError {
  override readonly name = 'ManifestUnwrittenError';
  override readonly exitCode = 1;
  constructor(path: string, options: { readonly cause: unknown }) {
    const { code = 'unknown' } = options.cause as NodeJS.ErrnoException;
    super(`cannot write ${path}: ${code}; nothing is lost, the same command goes on`, options);
  }
}

/** A service that answers no request for longer than the run may take; what it has accepted goes on. */
export class ServiceSilentError extends CommandError {
  override readonly name = 'ServiceSilentError';
  override readonly exitCode = 3;
  constructor(limitSeconds: number, reason: string) {
    super(
      `no request would be answered within ${limitSeconds} s (${reason}); what the service has accepted goes on, and the same command goes on from here`,
    );
  }
}

/** An archive that nobody has agreed to attest; nothing was sent. */
export class UnconfirmedError extends CommandError {
  override readonly name = 'UnconfirmedError';
  override readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
