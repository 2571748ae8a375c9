import type { RandomBytes } from '../../../functions/domain/services.ts';
import { seededRandom } from '../../fakes/ports/seeded-random.ts';

/** Random choices drawn from one seed: the same calls in the same order give the same results. */
export class Chance {
  readonly below: (bound: number) => number;

  constructor(seed: number) {
    this.below = seededRandom(seed);
  }

  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  /** Draws a whole number, both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** Draws an element. @throws Error when the list is empty */
  pick<One>(list: readonly One[]): One {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  readonly bytes: RandomBytes = (size) => Uint8Array.from({ length: size }, () => this.below(256));
}
