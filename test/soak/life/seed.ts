import { Trace } from '../watch/trace.ts';
import { TracedFaults } from '../watch/traced-faults.ts';
import { Chance } from './chance.ts';
import { live } from './life.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import { simulatedWorld } from './simulated-world.ts';
import type { SoakWorld, Stage } from './stage.ts';
import { sumOf, type Tally, tallyOf } from './tally.ts';

/** What became of a seed. */
export interface Life {
  readonly seed: number;
  /** Two runs with the same trace went the same way. */
  readonly trace: string;
  readonly tally: Tally;
  /** What broke, if anything did. */
  readonly failure?: string;
  /** Of one that failed on fakes: whether it went the same way when it was lived again. */
  readonly replays?: boolean;
}

/** Builds the world on which a scenario happens. */
export type Build = (scenario: Scenario, faults: TracedFaults, chance: Chance) => Promise<SoakWorld>;

/** Lives the life of a seed on fakes. @param tell is told all that happens */
export async function liveSeed(seed: number, tell?: (line: string) => void): Promise<Life> {
  return liveOn(async (...given) => simulatedWorld(...given), scenarioOf(seed, false), tell);
}

/** A life that failed is lived again, to see whether whoever looks for the fault can do the same. */
export async function liveAndReplay(seed: number): Promise<Life> {
  const life = await liveSeed(seed);
  if (life.failure === undefined) return life;
  const again = await liveSeed(seed);
  return { ...life, replays: again.trace === life.trace };
}

/** Lives a life on the world that is built for it. @param tell is told all that happens */
export async function liveOn(build: Build, scenario: Scenario, tell?: (line: string) => void): Promise<Life> {
  const { seed } = scenario;
  const [chance, trace] = [new Chance(seed), new Trace(tell)];
  const faults = new TracedFaults(scenario, chance, trace);
  const soakWorld = await build(scenario, faults, chance);
  const { queue, world } = soakWorld.service;
  faults.take(queue);
  trace.take(world.clock.now);
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const stage: Stage = { ...soakWorld, scenario, chance, trace, count };
  const failure = await broken(() =>
    live(stage, () => {
      faults.over = true;
    }),
  );
  trace.note(JSON.stringify(await world.records.all()));
  const happened = { ...Object.fromEntries(counts), 'calls gone wrong': faults.happened };
  const tally = sumOf([await tallyOf(soakWorld), happened]);
  await soakWorld.stop();
  return { seed, trace: trace.digest(), tally, ...(failure === undefined ? {} : { failure }) };
}

async function broken(act: () => Promise<void>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
