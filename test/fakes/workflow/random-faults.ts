import type { FaultKind, Faults } from '../ports/faults.ts';
import type { EventQueue } from './event-queue.ts';

const kinds: readonly FaultKind[] = ['killed before', 'killed after', 'refused', 'answer lost'];

const longestPauseSeconds = 1.5;

/** So long that a waiting caller gives up and starts again meanwhile. */
const longestSleepSeconds = 400;

/** Makes a random share of calls fail until `over` is set, and delays each call. */
export class RandomFaults implements Faults {
  over = false;
  happened = 0;
  readonly #random: (below: number) => number;
  readonly #oneIn: number;
  readonly #lateOneIn: number | undefined;
  #queue: EventQueue | undefined;

  /** @param lateOneIn one call in this many may take minutes; by default, none */
  constructor(random: (below: number) => number, oneIn: number, lateOneIn?: number) {
    this.#random = random;
    this.#oneIn = oneIn;
    this.#lateOneIn = lateOneIn;
  }

  /** Makes the following calls take simulated time of this queue. */
  useQueue(queue: EventQueue): void {
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
