import type { Services } from '../services.ts';
import type { LaneState, Queue } from './lane.ts';
import { findLaneState } from './lane-records.ts';
import type { LaneServices } from './lane-services.ts';
import { laneOf } from './signers.ts';

/**
 * Makes sure that an execution of the lane runs and is awake. The next run wakes a lane that sleeps: its first tick
 * takes over, and the sleeping execution ends when its time has come.
 *
 * @param read the lane's state, if it was read after the operation was queued: then it need not be read again
 */
export async function startLane(services: Services, lane: string, read?: LaneState): Promise<void> {
  const state = read ?? (await findLaneState(services.records, lane));
  // The first execution of a lane runs before the lane has a record: its first tick makes it.
  const { run = 1, sleepsUntil = '' } = state ?? {};
  const isAsleep = Date.parse(sleepsUntil) > services.now().getTime();
  await startRun(services, lane, isAsleep ? run + 1 : run);
}

/**
 * Makes sure that this run of the lane runs, or a later one: the name of a closed execution cannot be used again. It
 * writes nothing, because the first tick of a run takes over, also from an older run that it passed by.
 *
 * @param tried number of runs found closed. The distance to the next grows with it: a restored lane may have thousands
 *   before it, which tried one after the other use up the account's calls, at every sweep anew.
 */
export async function startRun(services: Services, lane: string, run: number, tried = 0): Promise<void> {
  const started = await services.executions.startLane({ lane, run });
  if (started === 'running') return;
  await startRun(services, lane, run + 2 ** Math.max(0, tried - 1), tried + 1);
}

/**
 * Makes sure that the lane of a queue runs. A failure is only logged, because the sweep starts what was not started.
 *
 * @param read the lane's state, if it was read after the operation was queued
 */
export async function tryStartQueue(services: Services, queue: Queue, read?: LaneState): Promise<void> {
  const { chainId, delegateAddress } = queue;
  try {
    await startLane(services, read?.lane ?? (await laneOf(services, queue)), read);
  } catch (error) {
    services.log.error('lane not started; the sweep will', error, { chainId, delegateAddress });
  }
}

/** Starts the lanes that send now what waits in queues of a retired one. With every signer revoked there is none. */
export async function startSuccessors(services: LaneServices, queues: readonly Queue[]): Promise<void> {
  for (const queue of queues) {
    if ((await laneOf(services, queue)) !== services.lane) await tryStartQueue(services, queue);
  }
}
