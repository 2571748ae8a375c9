import { setTimeout as pause } from 'node:timers/promises';
import type { Route } from '../../../functions/domain/chain.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { holdBlocks } from '../hops/block-clock.ts';
import { openBenchLane } from '../lanes/bench-lane.ts';
import type { LaneChain } from '../lanes/lane-chain.ts';
import { maxInFlight } from '../lanes/measure-throughput.ts';
import { MeteredRecords } from './metered-records.ts';
import { type UnitsByKind, unitsByKind } from './partition-kinds.ts';
import { type Load, playLives } from './play-lives.ts';

interface Plan {
  readonly name: string;
  readonly mode: Route;
  readonly load: Load;
}

/**
 * A phase has fewer ticks than finality after 12 blocks takes: as on real chains, commits become final after their
 * reveals are queued.
 */
const plans: readonly Plan[] = [
  { name: 'forwarder, 48 a transaction', mode: 'forwarder', load: { operations: 48, ticks: 4 } },
  { name: 'forwarder, 8 a transaction', mode: 'forwarder', load: { operations: 8, ticks: 8 } },
  { name: 'key, 48 a transaction', mode: 'key', load: { operations: 48, ticks: 4 } },
  { name: 'key, alone', mode: 'key', load: { operations: 1, ticks: 8 } },
];

/** With 1, mined and final are one settlement; with more, they are two. */
const confirmationCounts = [1, 12];

/** Request units of a lane's work, by kind of partition. */
export interface PartitionsAsked {
  readonly name: string;
  readonly confirmations: number;
  /** Number of operations that each tick settles, and of as many that it binds. */
  readonly operations: number;
  /** Units of one attestation, from acceptance to `confirmed`. */
  readonly life: UnitsByKind;
  /** Units of a tick that settles commits and binds commits, and of one that does the same with reveals. */
  readonly commitTick: UnitsByKind;
  readonly revealTick: UnitsByKind;
}

/** Counts the request units of attestations' lives. From then on the chain's blocks no longer come by the clock. */
export async function measurePartitions(
  laneChain: LaneChain,
  log: (line: string) => void,
): Promise<PartitionsAsked[]> {
  const asked: PartitionsAsked[] = [];
  for (const plan of plans) {
    for (const confirmations of confirmationCounts) {
      log(`request units: ${plan.name}, confirmations: ${confirmations}`);
      asked.push(await askedBy(laneChain, plan, confirmations, log));
    }
  }
  return asked;
}

async function askedBy(
  laneChain: LaneChain,
  { name, mode, load }: Plan,
  confirmations: number,
  log: (line: string) => void,
): Promise<PartitionsAsked> {
  const { operations, ticks } = load;
  const store = new MemoryRecords();
  const metered = new MeteredRecords(store);
  const parts = { laneChain, store: metered, mode, maxInFlight, confirmations, publisherCount: 1 } as const;
  const lane = await openBenchLane({ ...parts, log });
  const blocks = await holdBlocks(laneChain.chain, pause);
  try {
    const use = await playLives({ lane, store, take: () => metered.take(), blocks, confirmations }, load);
    return {
      ...{ name, confirmations, operations },
      life: unitsByKind(lane, use.all, operations * ticks),
      commitTick: unitsByKind(lane, use.commitTick),
      revealTick: unitsByKind(lane, use.revealTick),
    };
  } finally {
    await blocks.release();
  }
}
