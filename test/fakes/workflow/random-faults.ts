import type { FaultKind, Faults } from '../ports/faults.ts';
import type { EventQueue } from './event-queue.ts';

const kinds: readonly FaultKind[] = ['killed before', 'killed after', 'refused', 'answer lost'];

const longestPauseSeconds = 1.5;

/** Long enough for a caller that waits to have given up and begun again. */
const longestSleepSeconds = 400;

/** Makes a random share of calls fail, and each take some time, until it is stopped. */
export class RandomFaults implements Faults {
  over = false;
  happened = 0;
  readonly #random: (below: number) => number;
  readonly #oneIn: number;
  readonly #lateOneIn: number | undefined;
  #queue: EventQueue | undefined;

  /** @param lateOneIn one call in so many sleeps, and wakes up when everything may be done; without it, none */
  constructor(random: (below: number) => number, oneIn: number, lateOneIn?: number) {
    this.#random = random;
    this.#oneIn = oneIn;
    this.#lateOneIn = lateOneIn;
  }

  /** From now on calls take time of this queue. */
  take(queue: EventQueue): void {
    this.#queue = queue;
  }

  next(_call?: string): FaultKind | undefined {
    if (this.over || this.#random(this.#oneIn) > 0) return undefined;
    this.happened++;
    return kinds[this.#random(kinds.length)];
  }

  async pause(): Promise<void> {
    const oneIn = this.#lateOneIn;
    const isLate = !this.over && oneIn !== undefined && this.#random(oneIn) === 0;
    const longest = isLate ? longestSleepSeconds : longestPauseSeconds;
    const seconds = (this.#random(1000) / 1000) ** 4 * longest;
    await new Promise<void>((passed) => this.#queue?.after(seconds, passed));
  }
}
