import { listAttestations } from '../../../functions/domain/attestation/list-attestations.ts';
import type { AwsEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import type { RunContext, SoakWorld } from './context.ts';
import { runScenario } from './run-scenario.ts';
import { SeededChoices, scenarioOf } from './scenario.ts';
import { Trace, TracedFaults } from './trace.ts';
import { realWorld, simulatedWorld } from './worlds.ts';

/** A seed to run. With an emulator, it runs on the real adapters, otherwise on fakes. */
export interface Task {
  readonly seed: number;
  readonly emulator?: AwsEndpoint;
}

/** Numbers of events in a run, or in many, by name. */
export type Tally = Readonly<Record<string, number>>;

export interface SeedRun {
  readonly seed: number;
  /** Hash of the trace; two runs with the same hash had the same events. */
  readonly trace: string;
  readonly tally: Tally;
  /** The error that ended the run, if there was one. */
  readonly failure?: string;
}

/** Runs a seed. @param print receives every event as a line */
export async function runSeed({ seed, emulator }: Task, print?: (line: string) => void): Promise<SeedRun> {
  const scenario = scenarioOf(seed, emulator !== undefined);
  const [choices, trace] = [new SeededChoices(seed), new Trace(print)];
  const faults = new TracedFaults(scenario, choices, trace);
  const soakWorld = await (emulator
    ? realWorld(scenario, faults, emulator)
    : simulatedWorld(scenario, faults, choices));
  const { queue, world } = soakWorld.service;
  faults.useQueue(queue);
  trace.useClock(world.clock.now);
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const context: RunContext = { ...soakWorld, scenario, choices, trace, count };
  const endFaults = () => {
    faults.over = true;
  };
  const failure = await runScenario(context, endFaults).then(() => undefined, textOf);
  trace.note(JSON.stringify(await world.records.all()));
  const happened = { ...Object.fromEntries(counts), 'failed calls': faults.happened };
  const tally = sumOf([await tallyOf(soakWorld), happened]);
  await soakWorld.stop();
  return { seed, trace: trace.digest(), tally, ...(failure === undefined ? {} : { failure }) };
}

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

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
