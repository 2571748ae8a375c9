import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import {
  findLaneState,
  laneStateRecord,
  openOrReadLane,
} from '../../../functions/domain/lane/lane-records.ts';
import { laneServices } from '../../../functions/domain/lane/lane-services.ts';
import { tryStartQueue } from '../../../functions/domain/lane/start-lane.ts';
import type { Records } from '../../../functions/domain/records.ts';
import { advance } from '../../../functions/domain/steps/advance-lane.ts';
import { commitStep } from '../../../functions/domain/steps/commit.ts';
import { confirmStep } from '../../../functions/domain/steps/confirm.ts';
import { revealStep } from '../../../functions/domain/steps/reveal.ts';
import type { BlockClock } from '../hops/block-clock.ts';
import { acceptAttestations, readAll } from '../lanes/accept-attestations.ts';
import type { BenchLane } from '../lanes/bench-lane.ts';
import { revealDelaySeconds } from '../lanes/lane-chain.ts';
import type { PartitionUse } from './request-units.ts';

/** A token as long as AWS's: two published ones have 668 and 684 characters. The row keeps two. */
const taskToken = 'T'.repeat(680);

export interface Stage {
  readonly lane: BenchLane;
  /** The lane's records, without the meter. */
  readonly store: Records;
  readonly take: () => PartitionUse[];
  readonly blocks: BlockClock;
  readonly confirmations: number;
}

/** A backlog of a lane: so many ticks, each with so many operations to bind. */
export interface Load {
  readonly operations: number;
  readonly ticks: number;
}

export interface LivesUse {
  /** Use from acceptance to `confirmed`. */
  readonly all: readonly PartitionUse[];
  /**
   * Use of one tick that settles the block's operations and binds the next ones, all of them commits, or all reveals.
   */
  readonly commitTick: readonly PartitionUse[];
  readonly revealTick: readonly PartitionUse[];
}

/** An attestation did not end as `confirmed`: the counts would mislead. */
export class LifeUnexpectedError extends Error {
  override readonly name = 'LifeUnexpectedError';
}

/**
 * Takes attestations from acceptance to `confirmed` in a lane that never runs out of work, one block per tick.
 *
 * @throws LifeUnexpectedError
 */
export async function playLives(stage: Stage, load: Load): Promise<LivesUse> {
  const { lane, take, blocks, confirmations } = stage;
  const { services } = lane;
  // Records that a lane writes once, on its first use.
  await openOrReadLane(laneServices(services, lane.lane));
  await tryStartQueue(services, lane.queue);
  take();
  const attestations = await acceptAttestations(lane, load.operations * load.ticks);
  const accepted = take();
  const commits = await playPhase(stage, load, attestations, commitStep);
  // A reveal is first tried a block after its delay.
  await blocks.mineAt(
    (await lane.chain.head()).timestamp + revealDelaySeconds + 2 * lane.chain.settings.blockTimeSeconds,
  );
  const reveals = await playPhase(stage, load, attestations, revealStep);
  for (let depth = 1; depth < confirmations; depth++) {
    await takeTick(stage);
    await blocks.mine();
  }
  await takeTick(stage);
  for (const attestation of attestations) await confirmStep(services, attestation);
  const all = [...accepted, ...commits.all, ...reveals.all, ...take()];
  await assertConfirmed(lane, attestations);
  return { all, commitTick: commits.lastTick, revealTick: reveals.lastTick };
}

async function assertConfirmed(lane: BenchLane, attestations: readonly Attestation[]): Promise<void> {
  const rows = await readAll(lane, attestations);
  const other = rows.find(({ status }) => status !== 'confirmed');
  if (other) throw new LifeUnexpectedError(`${other.id} is ${other.status}`);
}

/** Queues a tick's operations, then runs a tick that settles the block's operations and binds them; repeats this. */
async function playPhase(
  stage: Stage,
  { operations }: Load,
  attestations: readonly Attestation[],
  step: typeof commitStep,
) {
  const { lane, take, blocks } = stage;
  const all: PartitionUse[] = [];
  let lastTick: PartitionUse[] = [];
  for (let first = 0; first < attestations.length; first += operations) {
    await hold(stage, true);
    for (const { organizationId, id } of attestations.slice(first, first + operations)) {
      await step(lane.services, { organizationId, id, taskToken });
    }
    await hold(stage, false);
    all.push(...take());
    await takeTick(stage);
    lastTick = take();
    all.push(...lastTick);
    await blocks.mine();
  }
  return { all, lastTick };
}

/** A paused lane binds as little as a full one, so that exactly the wanted number of operations is queued. */
async function hold({ lane, store }: Stage, held: boolean): Promise<void> {
  const set = { paused: held ? 'the bench queues' : undefined };
  await store.update({ key: laneStateRecord(lane.lane), set });
}

async function takeTick({ lane, store }: Stage): Promise<void> {
  const { run = 1 } = (await findLaneState(store, lane.lane)) ?? {};
  await advance(lane.services, { lane: lane.lane, run, turn: 1 });
}
