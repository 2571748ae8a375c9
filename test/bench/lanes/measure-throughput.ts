import { setTimeout as pause } from 'node:timers/promises';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import type { Route } from '../../../functions/domain/chain.ts';
import { openOrReadLane } from '../../../functions/domain/lane/lane-records.ts';
import type { Records } from '../../../functions/domain/records.ts';
import { acceptAttestations, queueAll, readAll } from './accept-attestations.ts';
import { type BenchLane, openBenchLane } from './bench-lane.ts';
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

/** Result of a lane with all commits, or all reveals, queued at once. */
export interface Throughput {
  readonly name: string;
  readonly operations: number;
  readonly ceiling: number;
  readonly pace: LanePace;
  readonly ticks: readonly TickTime[];
}

/** Queues all commits at once and runs the lane until it owes nothing; then all reveals. */
export async function measureThroughput(run: ThroughputRun): Promise<Throughput[]> {
  const { mode, storeName, attestations: count, log } = run;
  const lane = await openBenchLane({ ...run, maxInFlight, publisherCount });
  log(`${mode} mode, ${storeName}: accepting ${count.toLocaleString('en')} attestations`);
  const attestations = await acceptAttestations(lane, count);
  const commits = await measurePhase(run, lane, attestations, 'commit');
  await untilRevealable(lane, attestations);
  return [commits, await measurePhase(run, lane, attestations, 'reveal')];
}

async function measurePhase(
  { laneChain, mode, storeName, log }: ThroughputRun,
  lane: BenchLane,
  attestations: readonly Attestation[],
  kind: 'commit' | 'reveal',
): Promise<Throughput> {
  await queueAll(lane, attestations, kind);
  const { number: startBlock } = await lane.chain.head();
  const { nextNonce: from } = await openOrReadLane(lane.services, lane.chain, lane.lane);
  const name = `${mode}, ${storeName}, ${kind}s`;
  log(`${name}: ${attestations.length.toLocaleString('en')} queued, the lane runs`);
  const ticks = await driveLane(lane);
  const { nextNonce: to } = await openOrReadLane(lane.services, lane.chain, lane.lane);
  const transactions = await minedTransactions(lane, laneChain.chain, { from, to });
  const ceiling = maxInFlight * lane.capacity;
  return {
    name,
    operations: attestations.length,
    ceiling,
    ticks,
    pace: paceOf(transactions, { ceiling, startBlock }),
  };
}

/** Waits until the chain's clock has passed the reveal delay of every commit. */
async function untilRevealable(lane: BenchLane, attestations: readonly Attestation[]): Promise<void> {
  const rows = await readAll(lane, attestations);
  const last = rows.reduce((latest, { revealAt = '' }) => Math.max(latest, Date.parse(revealAt)), 0);
  while ((await lane.chain.head()).timestamp * 1000 < last) await pause(100);
}
