import { createHash } from 'node:crypto';
import type { Clock } from '../../../functions/domain/services.ts';

/** All that happened, in its order, as one hash: two lives with the same hash were the same. */
export class Trace {
  readonly #hash = createHash('sha256');
  readonly #tell: (line: string) => void;
  #now: Clock = () => new Date(0);

  /** @param tell is told every line too, for whoever looks for a fault */
  constructor(tell: (line: string) => void = () => {}) {
    this.#tell = tell;
  }

  /** From now on lines bear the time of this clock. */
  take(now: Clock): void {
    this.#now = now;
  }

  note(what: string): void {
    const line = `${this.#now().toISOString()} ${what}`;
    this.#hash.update(`${line}\n`);
    this.#tell(line);
  }

  /** The first 128 bits, in hex, of all until now. */
  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 32);
  }
}
