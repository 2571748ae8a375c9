import type { Route } from '../../../functions/domain/chain.ts';
import { Supervisor } from '../../../local/process/supervise.ts';
import { measurePartitions } from '../partitions/measure-partitions.ts';
import { partitionTables } from '../partitions/present-partitions.ts';
import type { Bench, LaneOptions, StoreName, Table } from '../report/section.ts';
import { type LaneChain, prepareLaneChain } from './lane-chain.ts';
import { openStore } from './lane-stores.ts';
import { measureDepth } from './measure-depth.ts';
import { measureFairness } from './measure-fairness.ts';
import { measureThroughput, type Throughput } from './measure-throughput.ts';
import { laneTables } from './present-lanes.ts';

/**
 * A key without a forwarder sends one operation per transaction, and the emulator is slow: fewer attestations show
 * their pace as well.
 */
const mostAttestations = { memory: 100_000, dynamodb: 2_000, forwarder: 100_000, key: 100 } as const;

interface Plan {
  readonly mode: Route;
  readonly storeName: StoreName;
  readonly attestations: number;
}

/** Each mode in memory, if that is wanted; on DynamoDB only the first mode. */
function plans({ modes, stores, attestations: wanted }: LaneOptions): Plan[] {
  const all = stores.flatMap((storeName) => modes.map((mode) => ({ mode, storeName })));
  return all
    .filter(({ mode, storeName }) => mode === modes[0] || storeName === stores[0])
    .map((plan) => {
      const most = Math.min(mostAttestations[plan.mode], mostAttestations[plan.storeName]);
      return { ...plan, attestations: Math.min(wanted, most) };
    });
}

async function measureRuns(laneChain: LaneChain, supervisor: Supervisor, { lanes, log }: Bench) {
  const runs: Throughput[] = [];
  for (const plan of plans(lanes)) {
    const store = await openStore(plan.storeName, supervisor, log);
    runs.push(...(await measureThroughput({ ...plan, laneChain, store, log })));
  }
  return runs;
}

/** Runs lanes as their state machine would, on a chain of their own with blocks by the clock. */
export async function measureLanes(bench: Bench): Promise<Table[]> {
  const { directory, log } = bench;
  const supervisor = await Supervisor.open(`${directory}/lanes`);
  try {
    const laneChain = await prepareLaneChain(supervisor, log);
    const uses = await measureDepth(laneChain, log);
    const fairness = await measureFairness(laneChain, log);
    const runs = await measureRuns(laneChain, supervisor, bench);
    // Last, because from then on the chain's blocks no longer come by the clock.
    const lives = await measurePartitions(laneChain, log);
    return [...laneTables(runs, uses, fairness), ...partitionTables(lives)];
  } finally {
    await supervisor.stop();
  }
}
