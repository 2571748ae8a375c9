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

/** Seconds between blocks: of the chain on which all is measured, and of others on which the pace alone is. */
const usualBlockTime = 2;
const otherBlockTimes = [1, 12];

/** The emulator is slow, and so are chains: fewer attestations show the pace as well. */
const most = { memory: 100_000, dynamodb: 2_000, otherBlockTime: 1_000 } as const;

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
    .map((plan) => ({ ...plan, attestations: Math.min(wanted, most[plan.storeName]) }));
}

async function measureRuns(
  laneChain: LaneChain,
  supervisor: Supervisor,
  planned: readonly Plan[],
  log: (line: string) => void,
) {
  const runs: Throughput[] = [];
  for (const plan of planned) {
    const store = await openStore(plan.storeName, supervisor, log);
    runs.push(await measureThroughput({ ...plan, laneChain, store, log }));
  }
  return runs;
}

/** Runs lanes as their state machine would, on chains of their own with blocks by the clock. */
export async function measureLanes({ directory, lanes, log }: Bench): Promise<Table[]> {
  const supervisor = await Supervisor.open(`${directory}/lanes`);
  try {
    const laneChain = await prepareLaneChain(supervisor, usualBlockTime, log);
    const uses = await measureDepth(laneChain, log);
    const fairness = await measureFairness(laneChain, log);
    const runs = await measureRuns(laneChain, supervisor, plans(lanes), log);
    const fewer = { ...lanes, attestations: Math.min(lanes.attestations, most.otherBlockTime) };
    for (const blockTime of otherBlockTimes) {
      const other = await prepareLaneChain(supervisor, blockTime, log);
      const inMemory = plans(fewer).filter(({ storeName }) => storeName === 'memory');
      runs.push(...(await measureRuns(other, supervisor, inMemory, log)));
    }
    // Last, because from then on the chain's blocks no longer come by the clock.
    const lives = await measurePartitions(laneChain, log);
    return [...laneTables(runs, uses, fairness), ...partitionTables(lives)];
  } finally {
    await supervisor.stop();
  }
}
