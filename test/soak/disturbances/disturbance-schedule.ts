import { attempt, type RunContext } from '../run/context.ts';
import type { Publishers } from '../run/publishers.ts';
import { authorityDisturbances, restoreDelegations } from './authority-disturbances.ts';
import { chainDisturbances, nodeDisturbances } from './chain-disturbances.ts';
import type { Disturbances, End } from './disturbance.ts';
import { operatorDisturbances, restoreOperators, resumeAll, rotations } from './operator-disturbances.ts';
import { realDisturbances, simulatedDisturbances } from './world-disturbances.ts';

const disturbances: Disturbances = {
  ...chainDisturbances,
  ...simulatedDisturbances,
  ...nodeDisturbances,
  ...authorityDisturbances,
  ...operatorDisturbances,
  ...rotations,
  ...realDisturbances,
};

/** The hardest disturbance, a reorg, occurs twice as often. */
const names = [...Object.keys(disturbances), 'reorg'];

/** Limit of the random part of a pause between two disturbances, in blocks. */
const maxPauseBlocks = 6;
const usualDurationBlocks = 15;
const longestDurationBlocks = 60;

/** Seconds between an operator's checks of alarms. */
const alarmSeconds = 60;

/** Starts disturbances, which may overlap, until it is stopped. */
export class DisturbanceSchedule {
  readonly #context: RunContext;
  readonly #publishers: Publishers;
  readonly #ends = new Set<End>();
  #stopped = false;

  constructor(context: RunContext, publishers: Publishers) {
    this.#context = context;
    this.#publishers = publishers;
  }

  begin(): void {
    const { service, scenario, choices } = this.#context;
    const seconds = scenario.given.blockTimeSeconds * (0.5 + choices.below(maxPauseBlocks * 10) / 10);
    service.queue.after(seconds, async () => {
      if (this.#stopped) return;
      this.begin();
      await this.#start(choices.pick(names));
    });
  }

  /** Ends all disturbances, and repairs lasting effects. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const end of [...this.#ends]) await this.#end(end, 'disturbance');
    await restoreOperators(this.#context);
    await restoreDelegations(this.#context);
    // A nonce that another holder used pauses its lane only when its transaction is final.
    this.#context.service.queue.every(alarmSeconds, () => resumeAll(this.#context));
  }

  async #start(name: string): Promise<void> {
    const { service, scenario, choices, count } = this.#context;
    await attempt(this.#context, name, async () => {
      const end = await disturbances[name]?.(this.#context, this.#publishers);
      if (!end) return;
      count(name);
      this.#ends.add(end);
      const seconds =
        scenario.given.blockTimeSeconds *
        choices.between(1, choices.oneIn(6) ? longestDurationBlocks : usualDurationBlocks);
      service.queue.after(seconds, () => this.#end(end, name));
    });
  }

  async #end(end: End, name: string): Promise<void> {
    if (!this.#ends.delete(end)) return;
    await attempt(this.#context, `${name} over`, end);
  }
}
