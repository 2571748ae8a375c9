import { ExpectedError } from './errors.ts';

/** Binding again would use nonces that are spent. */
export class LaneBehindError extends ExpectedError {
  constructor(lane: string, { chain, next }: { chain: number; next: number }) {
    super(
      `on the chain the key's next nonce is ${chain}, and lane ${lane} would go on with ${next}: ` +
        'find out who else uses the key, then use `lane resync`',
    );
  }
}

/** A provider that lags, or a chain that was set back; neither is mended by going on from there. */
export class LaneAheadError extends ExpectedError {
  constructor(lane: string, { chain, next }: { chain: number; next: number }) {
    super(
      `on the chain the key's next nonce is ${chain}, although lane ${lane} has all below ${next} final; ` +
        'check the providers',
    );
  }
}

/** What has to be final first is not; the message says what. */
export class LaneUnsettledError extends ExpectedError {}

export class TransactionMissingError extends ExpectedError {
  constructor(lane: string, nonce?: number) {
    super(
      nonce === undefined
        ? `lane ${lane} has no open transaction`
        : `lane ${lane} has no transaction ${nonce}`,
    );
  }
}

/** In a block already, or given up: no cancellation reaches it. */
export class TransactionClosedError extends ExpectedError {
  constructor(lane: string, nonce: number) {
    super(`transaction ${nonce} of lane ${lane} is not open any more`);
  }
}
