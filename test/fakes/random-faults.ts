import type { EventQueue } from './event-queue.ts';
import type { FaultKind, Faults } from './faults.ts';

const kinds: readonly FaultKind[] = ['killed before', 'killed after', 'refused', 'answer lost'];

const longestPauseSeconds = 1.5;

/** Lets one call in so many go wrong, and each take its time, as the random numbers say, until it is over. */
export class RandomFaults implements Faults {
  over = false;
  happened = 0;
  readonly #random: (below: number) => number;
  readonly #oneIn: number;
  #queue: EventQueue | undefined;

  constructor(random: (below: number) => number, oneIn: number) {
    this.#random = random;
    this.#oneIn = oneIn;
  }

  /** From now on calls take time of this queue. */
  take(queue: EventQueue): void {
    this.#queue = queue;
  }

  next(): FaultKind | undefined {
    if (this.over || this.#random(this.#oneIn) > 0) return undefined;
    this.happened++;
    return kinds[this.#random(kinds.length)];
  }

  async pause(): Promise<void> {
    const seconds = (this.#random(1000) / 1000) ** 4 * longestPauseSeconds;
    await new Promise<void>((passed) => this.#queue?.after(seconds, passed));
  }
}
