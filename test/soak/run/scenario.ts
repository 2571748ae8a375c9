import type { RandomBytes } from '../../../functions/domain/services.ts';
import { seededRandom } from '../../fakes/ports/seeded-random.ts';

/** Random choices drawn from one seed: the same calls in the same order give the same results. */
export class SeededChoices {
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

/** The parameters of a run, which are fixed before it begins. */
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
  /** Whether the simulated registry accepts batches. The real one always does. */
  readonly batches: boolean;
  readonly organizations: number;
  /** Number of contents posted by all organizations together. */
  readonly contents: number;
  /** Seconds within which they are posted. */
  readonly postingSeconds: number;
  /** Seconds for which the disturbances last. */
  readonly disturbedSeconds: number;
  /** One in this many calls of ports fails. */
  readonly faultsOneIn: number;
  /** One in this many calls of ports may take minutes. */
  readonly lateOneIn: number;
  /** One in this many calls of functions is made twice. */
  readonly repeatsOneIn: number;
}

const usualHours = 24;

/** Short enough to end while the disturbances last. */
const shortHours = 0.015;

/** All contents are posted in the first part of the disturbed time, so that most later steps are disturbed too. */
const postingShare = 0.7;

export function scenarioOf(seed: number, isReal: boolean): Scenario {
  const choices = new SeededChoices(seed);
  const blockTimeSeconds = choices.pick([1, 2, 2, 5, 12]);
  const blocks = isReal ? choices.between(40, 60) : choices.between(150, 350);
  const given = {
    forwarder: choices.oneIn(2),
    confirmations: choices.between(1, 8),
    blockTimeSeconds,
    revealDelaySeconds: choices.pick([5, 10, 60]),
    maxInFlight: choices.between(1, 8),
    minPriorityFeeGwei: choices.pick([0, 0.000000001, 0.1, 2]),
    maxQueuedHours: choices.pick([shortHours, usualHours, usualHours]),
    maxBoundHours: choices.pick([shortHours, usualHours, usualHours]),
  };
  const disturbedSeconds = blocks * blockTimeSeconds;
  // Enough contents at once that one transaction is settled in several writes.
  const isCrowd = !isReal && given.forwarder && choices.oneIn(12);
  const contents = isReal ? choices.between(4, 7) : choices.between(20, 32);
  const scenario = {
    ...{ seed, given, legacy: !isReal && choices.oneIn(8) },
    organizations: isReal ? 2 : choices.between(2, 6),
    contents: isCrowd ? choices.between(120, 180) : contents,
    disturbedSeconds,
    faultsOneIn: choices.between(30, 200),
    lateOneIn: choices.between(200, 2000),
    repeatsOneIn: choices.between(5, 40),
  };
  const batches = isReal || choices.oneIn(2);
  // Contents posted at once are committed to at once.
  const isAtOnce = isCrowd || (batches && choices.oneIn(2));
  const postingSeconds = isAtOnce ? 2 * blockTimeSeconds : postingShare * disturbedSeconds;
  return { ...scenario, batches, postingSeconds };
}
