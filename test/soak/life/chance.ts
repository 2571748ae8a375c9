import type { RandomBytes } from '../../../functions/domain/services.ts';
import { seededRandom } from '../../fakes/ports/seeded-random.ts';

/** All that is left to chance, drawn from one seed: the same questions in the same order get the same answers. */
export class Chance {
  readonly below: (bound: number) => number;

  constructor(seed: number) {
    this.below = seededRandom(seed);
  }

  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  /** Whole, both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** @throws Error when there is nothing to pick from */
  pick<One>(list: readonly One[]): One {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  readonly bytes: RandomBytes = (size) => Uint8Array.from({ length: size }, () => this.below(256));
}
