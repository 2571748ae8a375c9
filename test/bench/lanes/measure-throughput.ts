import type { Route } from '../../../functions/domain/chain.ts';
import { openOrReadLane } from '../../../functions/domain/lane/lane-records.ts';
import { laneServices } from '../../../functions/domain/lane/lane-services.ts';
import type { Records } from '../../../functions/domain/records.ts';
import { acceptAttestations, queueAll } from './accept-attestations.ts';
import { openBenchLane } from './bench-lane.ts';
import { driveLane, type TickTime } from './drive-lane.ts';
import type { LaneChain } from './lane-chain.ts';
import { type LanePace, paceOf } from './lane-pace.ts';
import { minedTransactions } from './mined-transactions.ts';

/** All operations belong to one organisation: their places in the queue are then those of their ids. */
const publisherCount = 1;

/** Transactions of the lane that may be unmined at once; times the capacity of one, the ceiling of a block. */
export const maxInFlight = 4;

export interface ThroughputRun {
  readonly laneChain: LaneChain;
  readonly store: Records;
  readonly storeName: string;
  readonly mode: Route;
  readonly attestations: number;
  readonly log: (line: string) => void;
}

/** Result of a lane with all commits queued at once, whose reveals follow. */
export interface Throughput {
  readonly name: string;
  readonly operations: number;
  readonly ceiling: number;
  /** Operations are commits and reveals, one of each for an attestation. */
  readonly attestationsPerSecond: number;
  readonly pace: LanePace;
  readonly ticks: readonly TickTime[];
}

/** Queues all commits at once and runs the lane until it owes nothing, the reveals included. */
export async function measureThroughput(run: ThroughputRun): Promise<Throughput> {
  const { mode, storeName, attestations: count, log } = run;
  const lane = await openBenchLane({ ...run, maxInFlight, publisherCount });
  log(`${mode} mode, ${storeName}: accepting ${count.toLocaleString('en')} attestations`);
  const attestations = await acceptAttestations(lane, count);
  await queueAll(lane, attestations, 'commit');
  const { number: startBlock } = await lane.chain.head();
  const { nextNonce: from } = await openOrReadLane(laneServices(lane.services, lane.lane));
  const { blockTimeSeconds } = run.laneChain;
  const name = `${mode}, ${storeName}, blocks of ${blockTimeSeconds} s`;
  log(`${name}: ${count.toLocaleString('en')} queued, the lane runs`);
  const ticks = await driveLane(lane);
  const { nextNonce: to } = await openOrReadLane(laneServices(lane.services, lane.lane));
  const transactions = await minedTransactions(lane, run.laneChain.chain, { from, to });
  const ceiling = maxInFlight * lane.capacity;
  const pace = paceOf(transactions, { ceiling, startBlock });
  const attestationsPerSecond = pace.operationsPerBlock / 2 / blockTimeSeconds;
  return { name, operations: 2 * count, ceiling, attestationsPerSecond, ticks, pace };
}
