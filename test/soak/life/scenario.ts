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

/** The parameters of a life, which are fixed before it begins. */
export interface Scenario {
  readonly seed: number;
  /** Settings in the form of `makeWorld` and `makeRealWorld`. */
  readonly given: {
    readonly forwarder: boolean;
    readonly confirmations: number;
    readonly blockTimeSeconds: number;
    readonly revealDelaySeconds: number;
    readonly maxInFlight: number;
    readonly minPriorityFeeGwei: number;
    readonly maxQueuedHours: number;
    readonly maxBoundHours: number;
  };
  /** The chain has no EIP-1559. */
  readonly legacy: boolean;
  /** The simulated registry takes batches; the real one does. */
  readonly batches: boolean;
  readonly organizations: number;
  /** Number of contents posted by all organizations together. */
  readonly contents: number;
  /** Seconds within which they are posted. */
  readonly postingSeconds: number;
  /** Seconds for which the troubles last. */
  readonly troubledSeconds: number;
  /** One call of a port in so many fails. */
  readonly faultsOneIn: number;
  /** One call of a port in so many sleeps for minutes. */
  readonly lateOneIn: number;
  /** One call of a function in so many is made twice. */
  readonly repeatsOneIn: number;
}

const usualHours = 24;

/** Short enough to be over while the troubles last. */
const shortHours = 0.015;

/** All contents are posted in the first part of the troubled time, so that most of what follows is troubled too. */
const postingShare = 0.7;

/** Draws the scenario of a seed. */
export function scenarioOf(seed: number, isReal: boolean): Scenario {
  const chance = new Chance(seed);
  const blockTimeSeconds = chance.pick([1, 2, 2, 5, 12]);
  const blocks = isReal ? chance.between(40, 60) : chance.between(150, 350);
  const given = {
    forwarder: chance.oneIn(2),
    confirmations: chance.between(1, 8),
    blockTimeSeconds,
    revealDelaySeconds: chance.pick([5, 10, 60]),
    maxInFlight: chance.between(1, 8),
    minPriorityFeeGwei: chance.pick([0, 0.000000001, 0.1, 2]),
    maxQueuedHours: chance.pick([shortHours, usualHours, usualHours]),
    maxBoundHours: chance.pick([shortHours, usualHours, usualHours]),
  };
  const troubledSeconds = blocks * blockTimeSeconds;
  // Enough contents at once that one transaction is settled in several writes.
  const isCrowd = !isReal && given.forwarder && chance.oneIn(12);
  const contents = isReal ? chance.between(4, 7) : chance.between(20, 32);
  const scenario = {
    ...{ seed, given, legacy: !isReal && chance.oneIn(8) },
    organizations: isReal ? 2 : chance.between(2, 6),
    contents: isCrowd ? chance.between(120, 180) : contents,
    troubledSeconds,
    faultsOneIn: chance.between(30, 200),
    lateOneIn: chance.between(200, 2000),
    repeatsOneIn: chance.between(5, 40),
  };
  const batches = isReal || chance.oneIn(2);
  // What is posted at once is committed to at once.
  const isAtOnce = isCrowd || (batches && chance.oneIn(2));
  const postingSeconds = isAtOnce ? 2 * blockTimeSeconds : postingShare * troubledSeconds;
  return { ...scenario, batches, postingSeconds };
}
