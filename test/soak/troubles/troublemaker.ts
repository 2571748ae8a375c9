import type { Publishers } from '../life/publishers.ts';
import { attempt, type Stage } from '../life/stage.ts';
import { authorityTroubles, restoreDelegations } from './authority-troubles.ts';
import { chainTroubles, nodeTroubles } from './chain-troubles.ts';
import { operatorTroubles, restoreOperators, resumeAll, rotations } from './operator-troubles.ts';
import type { End, Troubles } from './trouble.ts';
import { realTroubles, simulatedTroubles } from './world-troubles.ts';

const troubles: Troubles = {
  ...chainTroubles,
  ...simulatedTroubles,
  ...nodeTroubles,
  ...authorityTroubles,
  ...operatorTroubles,
  ...rotations,
  ...realTroubles,
};

/** The trouble that is hardest to survive comes twice as often. */
const names = [...Object.keys(troubles), 'reorg'];

/** Greatest pause between two troubles, in blocks. */
const mostBetween = 6;
const mostLasting = 15;
const longestLasting = 60;

/** Seconds between an operator's looks at alarms. */
const alarmSeconds = 60;

/** Starts one trouble after another, several at a time, until it is stopped. */
export class Troublemaker {
  readonly #stage: Stage;
  readonly #publishers: Publishers;
  readonly #ends = new Set<End>();
  #stopped = false;

  constructor(stage: Stage, publishers: Publishers) {
    this.#stage = stage;
    this.#publishers = publishers;
  }

  begin(): void {
    const { service, scenario, chance } = this.#stage;
    const seconds = scenario.given.blockTimeSeconds * (0.5 + chance.below(mostBetween * 10) / 10);
    service.queue.after(seconds, async () => {
      if (this.#stopped) return;
      this.begin();
      await this.#trouble(chance.pick(names));
    });
  }

  /** Ends all troubles, and repairs the effects that do not pass by themselves. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const end of [...this.#ends]) await this.#end(end, 'trouble');
    await restoreOperators(this.#stage);
    await restoreDelegations(this.#stage);
    // A nonce that another holder used pauses its lane only when that is final.
    this.#stage.service.queue.every(alarmSeconds, () => resumeAll(this.#stage));
  }

  async #trouble(name: string): Promise<void> {
    const { service, scenario, chance, count } = this.#stage;
    await attempt(this.#stage, name, async () => {
      const end = await troubles[name]?.(this.#stage, this.#publishers);
      if (!end) return;
      count(name);
      this.#ends.add(end);
      const seconds =
        scenario.given.blockTimeSeconds * chance.between(1, chance.oneIn(6) ? longestLasting : mostLasting);
      service.queue.after(seconds, () => this.#end(end, name));
    });
  }

  async #end(end: End, name: string): Promise<void> {
    if (!this.#ends.delete(end)) return;
    await attempt(this.#stage, `${name} over`, end);
  }
}
