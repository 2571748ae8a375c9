import { listAttestations } from '../../../functions/domain/attestation/list-attestations.ts';
import type { AwsEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { Trace, TracedFaults } from '../watch/trace.ts';
import { live } from './life.ts';
import { Chance, scenarioOf } from './scenario.ts';
import type { SoakWorld, Stage } from './stage.ts';
import { realWorld, simulatedWorld } from './worlds.ts';

/** A life to be lived; without an emulator, on fakes. */
export interface Task {
  readonly seed: number;
  readonly emulator?: AwsEndpoint;
}

/** Numbers of events in a life, or in many, by name. */
export type Tally = Readonly<Record<string, number>>;

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

/** Runs the life of a seed. @param tell receives every event as a line */
export async function liveSeed({ seed, emulator }: Task, tell?: (line: string) => void): Promise<Life> {
  const scenario = scenarioOf(seed, emulator !== undefined);
  const [chance, trace] = [new Chance(seed), new Trace(tell)];
  const faults = new TracedFaults(scenario, chance, trace);
  const soakWorld = await (emulator
    ? realWorld(scenario, faults, emulator)
    : simulatedWorld(scenario, faults, chance));
  const { queue, world } = soakWorld.service;
  faults.take(queue);
  trace.take(world.clock.now);
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const stage: Stage = { ...soakWorld, scenario, chance, trace, count };
  const endFaults = () => {
    faults.over = true;
  };
  const failure = await live(stage, endFaults).then(() => undefined, textOf);
  trace.note(JSON.stringify(await world.records.all()));
  const happened = { ...Object.fromEntries(counts), 'calls gone wrong': faults.happened };
  const tally = sumOf([await tallyOf(soakWorld), happened]);
  await soakWorld.stop();
  return { seed, trace: trace.digest(), tally, ...(failure === undefined ? {} : { failure }) };
}

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Runs a life, and one that failed on fakes once more, to see whether a person can replay it. */
export async function liveAndReplay(task: Task): Promise<Life> {
  const life = await liveSeed(task);
  if (life.failure === undefined || task.emulator) return life;
  return { ...life, replays: (await liveSeed(task)).trace === life.trace };
}

/** Counts the events in a world's life. */
async function tallyOf({ service, callers }: SoakWorld): Promise<Tally> {
  const { records, chain } = service.world;
  const pages = callers.map(({ organizationId }) =>
    listAttestations(records, organizationId, { limit: 1000 }),
  );
  const rows = (await Promise.all(pages)).flatMap(({ attestations }) => attestations);
  const revealed = rows.filter(({ batch, revealPhase }) => batch && revealPhase === 'final');
  return {
    attestations: rows.length,
    'attestations failed': rows.filter(({ status }) => status === 'failed').length,
    'attestations linked': rows.filter(({ linkPhase }) => linkPhase === 'final').length,
    'attestations of batches': revealed.length,
    'batches revealed': new Set(revealed.map(({ revealTxHash }) => revealTxHash)).size,
    transactions: (await chain.receipts()).length,
  };
}

export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = new Map<string, number>();
  for (const tally of tallies) {
    for (const [name, times] of Object.entries(tally)) sum.set(name, (sum.get(name) ?? 0) + times);
  }
  return Object.fromEntries([...sum].sort(([one], [other]) => (one < other ? -1 : 1)));
}
