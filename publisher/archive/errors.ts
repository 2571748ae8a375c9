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

/** An archive that nobody has agreed to attest; nothing was sent. */
export class UnconfirmedError extends CommandError {
  override readonly name = 'UnconfirmedError';
  override readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
