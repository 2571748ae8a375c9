import type { Services } from '../services.ts';
import type { LaneState, Queue } from './lane.ts';
import { findLaneState } from './lane-records.ts';
import type { LaneServices } from './lane-services.ts';
import { laneOf } from './signers.ts';

/** Starts the lane unless it is running and awake. If it sleeps, the first tick of the next run takes over. */
export async function startLane(services: Services, lane: string, known?: LaneState): Promise<void> {
  const state = known ?? (await findLaneState(services.records, lane));
  // A lane has no record until a tick or a sender opens it.
  const { run = 1, sleepsUntil = '' } = state ?? {};
  const isAsleep = Date.parse(sleepsUntil) > services.now().getTime();
  await startRun(services, lane, isAsleep ? run + 1 : run);
}

/** Starts this run, or a later one if it is closed. The increment doubles: a restore may leave thousands closed. */
export async function startRun(services: Services, lane: string, run: number, skips = 0): Promise<void> {
  const started = await services.executions.startLane({ lane, run });
  if (started === 'running') return;
  await startRun(services, lane, run + 2 ** Math.max(0, skips - 1), skips + 1);
}

/** Makes sure that the lane of a queue is running. A failure is only logged, because the sweep retries. */
export async function tryStartLaneOf(services: Services, queue: Queue, known?: LaneState): Promise<void> {
  const { chainId, delegateAddress } = queue;
  try {
    await startLane(services, known?.lane ?? (await laneOf(services, queue)), known);
  } catch (error) {
    services.log.error('lane not started; the sweep retries', error, { chainId, delegateAddress });
  }
}

/** Starts the lanes that `laneOf` returns for a retired lane's queues, except the lane itself. */
export async function startSuccessors(services: LaneServices, queues: readonly Queue[]): Promise<void> {
  for (const queue of queues) {
    if ((await laneOf(services, queue)) !== services.lane) await tryStartLaneOf(services, queue);
  }
}
