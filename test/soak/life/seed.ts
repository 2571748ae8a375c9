import { Trace } from '../watch/trace.ts';
import { TracedFaults } from '../watch/traced-faults.ts';
import { Chance } from './chance.ts';
import { live } from './life.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import { simulatedWorld } from './simulated-world.ts';
import type { SoakWorld, Stage } from './stage.ts';
import { sumOf, type Tally, tallyOf } from './tally.ts';

/** Result of the life of a seed. */
export interface Life {
  readonly seed: number;
  /** Hash of the trace; two runs with the same hash had the same events. */
  readonly trace: string;
  readonly tally: Tally;
  /** The error that ended the life, if there was one. */
  readonly failure?: string;
  /** Of a failed life on fakes: whether its second run had the same events. */
  readonly replays?: boolean;
}

/** Builds the world of a scenario. */
export type Build = (scenario: Scenario, faults: TracedFaults, chance: Chance) => Promise<SoakWorld>;

/** Runs the life of a seed on fakes. @param tell receives every event as a line */
export async function liveSeed(seed: number, tell?: (line: string) => void): Promise<Life> {
  return liveOn(async (...given) => simulatedWorld(...given), scenarioOf(seed, false), tell);
}

/**
 * Runs the life of a seed, and a failed one once more, to see whether a person who looks for the fault can replay it.
 */
export async function liveAndReplay(seed: number): Promise<Life> {
  const life = await liveSeed(seed);
  if (life.failure === undefined) return life;
  const again = await liveSeed(seed);
  return { ...life, replays: again.trace === life.trace };
}

/** Runs a life on the world that is built for it. @param tell receives every event as a line */
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
