import type { Services } from '../services.ts';
import type { LaneState, Queue } from './lane.ts';
import { findLaneState } from './lane-records.ts';
import type { LaneServices } from './lane-services.ts';
import { laneOf } from './signers.ts';

/** Makes sure that the lane runs and is awake: the first tick of the next run takes over from one that sleeps. */
export async function startLane(services: Services, lane: string, read?: LaneState): Promise<void> {
  const state = read ?? (await findLaneState(services.records, lane));
  // The first execution of a lane runs before the lane has a record: its first tick makes it.
  const { run = 1, sleepsUntil = '' } = state ?? {};
  const isAsleep = Date.parse(sleepsUntil) > services.now().getTime();
  await startRun(services, lane, isAsleep ? run + 1 : run);
}

/**
 * Makes sure that this run of the lane runs, or a later one: a closed execution's name cannot be used again. The distance
 * to the next grows with the number tried, because a restored lane may have thousands of closed runs before it.
 */
export async function startRun(services: Services, lane: string, run: number, tried = 0): Promise<void> {
  const started = await services.executions.startLane({ lane, run });
  if (started === 'running') return;
  await startRun(services, lane, run + 2 ** Math.max(0, tried - 1), tried + 1);
}

/** Makes sure that the lane of a queue runs. A failure is only logged: the sweep starts it. */
export async function tryStartQueue(services: Services, queue: Queue, read?: LaneState): Promise<void> {
  const { chainId, delegateAddress } = queue;
  try {
    await startLane(services, read?.lane ?? (await laneOf(services, queue)), read);
  } catch (error) {
    services.log.error('lane not started; the sweep retries', error, { chainId, delegateAddress });
  }
}

/** Starts the lanes that send now what waits in queues of a retired one. With every signer revoked there is none. */
export async function startSuccessors(services: LaneServices, queues: readonly Queue[]): Promise<void> {
  for (const queue of queues) {
    if ((await laneOf(services, queue)) !== services.lane) await tryStartQueue(services, queue);
  }
}
