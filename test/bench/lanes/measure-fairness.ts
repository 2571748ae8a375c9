import { setTimeout as pause } from 'node:timers/promises';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { findPayload } from '../../../functions/domain/lane/transaction-records.ts';
import { queueOperation } from '../../../functions/domain/steps/enter-step.ts';
import { acceptAttestations, queueAll } from './accept-attestations.ts';
import { type BenchLane, openBenchLane } from './bench-lane.ts';
import { driveLane } from './drive-lane.ts';
import type { LaneChain } from './lane-chain.ts';
import { openMemory } from './lane-stores.ts';
import { maxInFlight } from './measure-throughput.ts';

/** Number of operations queued by one organisation before the other's first. */
const crowdSize = 10_000;

/**
 * The other organisation's operations, and the time between them, which meets a different part of the block time each
 * time.
 */
const lateCount = 20;
const betweenMs = 1_370;

/** Delay of late operations behind a crowd. */
export interface Fairness {
  readonly crowdSize: number;
  /**
   * For each operation: transactions bound from its queuing up to and including its own; infinite if it was not bound.
   */
  readonly transactions: readonly number[];
}

/**
 * Makes one organisation queue thousands of operations, and another one operation from time to time, at any moment of
 * the lane's ticks.
 */
export async function measureFairness(laneChain: LaneChain, log: (line: string) => void): Promise<Fairness> {
  const parts = { laneChain, store: openMemory(), mode: 'forwarder', maxInFlight } as const;
  const lane = await openBenchLane({ ...parts, publisherCount: 2, log });
  const [crowd, other] = lane.publishers;
  if (!crowd || !other) throw new Error('two publishers were asked for');
  log(`one organisation queues ${crowdSize.toLocaleString('en')}, another ${lateCount} later`);
  await queueAll(lane, await acceptAttestations(lane, crowdSize, [crowd]), 'commit');
  const late = await acceptAttestations(lane, lateCount, [other]);
  let isOver = false;
  const driven = driveLane(lane, () => isOver);
  const queuedAt = await queueOneByOne(lane, late);
  await pause(3 * laneChain.blockTimeSeconds * 1000);
  isOver = true;
  await driven;
  const boundAt = await noncesOf(lane);
  const transactions = late.map(
    ({ id }, position) => (boundAt.get(id) ?? Number.POSITIVE_INFINITY) - (queuedAt[position] ?? 0) + 1,
  );
  return { crowdSize, transactions };
}

const nextNonce = async ({ services, lane }: BenchLane): Promise<number> =>
  (await findLaneState(services.records, lane))?.nextNonce ?? 0;

/** @returns for each operation, the next nonce to be bound once it was queued */
async function queueOneByOne(lane: BenchLane, late: readonly Attestation[]): Promise<number[]> {
  const nonces: number[] = [];
  for (const attestation of late) {
    await pause(betweenMs);
    await queueOperation(lane.services, attestation, 'commit');
    nonces.push(await nextNonce(lane));
  }
  return nonces;
}

/** Reads the nonce to which each attestation's commit is bound, by attestation. */
async function noncesOf(lane: BenchLane): Promise<Map<string, number>> {
  const nonces = new Map<string, number>();
  const next = await nextNonce(lane);
  for (let nonce = 0; nonce < next; nonce++) {
    const { operations } = await findPayload(lane.services.records, lane.lane, nonce);
    for (const { id, kind } of operations) if (kind === 'commit') nonces.set(id, nonce);
  }
  return nonces;
}
