import { setTimeout as pause } from 'node:timers/promises';
import { parseLane } from '../../../functions/domain/lane/lane.ts';
import { advance } from '../../../functions/domain/steps/advance-lane.ts';
import { acceptAttestations, queueAll } from './accept-attestations.ts';
import { type BenchLane, openBenchLane } from './bench-lane.ts';
import type { StoreUse } from './counted-records.ts';
import type { LaneChain } from './lane-chain.ts';
import { openMemory } from './lane-stores.ts';

/** Numbers of operations queued while a tick is measured. */
const depths = [100, 1_000, 10_000];

/** Numbers of organisations that they belong to. */
const crowds = [1, 10];

/** Use of the store by a tick that settles one full transaction and binds the next. */
export interface DepthUse extends StoreUse {
  readonly publishers: number;
  readonly depth: number;
  /** Number of operations settled, and of as many bound. */
  readonly operations: number;
}

/** Counts the use of the store by a tick of the lane, for queues of several lengths. */
export async function measureDepth(laneChain: LaneChain, log: (line: string) => void): Promise<DepthUse[]> {
  const uses: DepthUse[] = [];
  for (const publishers of crowds) {
    for (const depth of depths) {
      log(`a tick with ${depth.toLocaleString('en')} operations queued, of ${publishers} organisations`);
      uses.push(await useAt(laneChain, { depth, publishers }, log));
    }
  }
  return uses;
}

async function useAt(
  laneChain: LaneChain,
  { depth, publishers }: Pick<DepthUse, 'depth' | 'publishers'>,
  log: (line: string) => void,
): Promise<DepthUse> {
  // One transaction at a time, so that the tick finds exactly the wanted number queued.
  const parts = { laneChain, store: openMemory(), mode: 'forwarder', maxInFlight: 1 } as const;
  const lane = await openBenchLane({ ...parts, publisherCount: publishers, log });
  const { capacity: operations } = lane;
  await queueAll(lane, await acceptAttestations(lane, depth + operations), 'commit');
  await advance(lane.services, { lane: lane.lane, run: 1, turn: 0 });
  await untilMined(lane);
  lane.use();
  await advance(lane.services, { lane: lane.lane, run: 1, turn: 1 });
  return { publishers, depth, operations, ...lane.use() };
}

async function untilMined({ chain, lane }: BenchLane): Promise<void> {
  const query = { ...parseLane(lane), hashes: [], blockNumbers: [] };
  while ((await chain.snapshot(query)).minedCount === 0) await pause(50);
}
