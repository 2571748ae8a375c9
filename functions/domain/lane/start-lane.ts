import type { Services } from '../services.ts';
import type { LaneState, Queue } from './lane.ts';
import { findLaneState } from './lane-records.ts';
import type { LaneServices } from './lane-services.ts';
import { laneOf } from './signers.ts';

/** Starts the lane if it does not run or sleeps. The first tick of the next run takes over from a sleeping one. */
export async function startLane(services: Services, lane: string, read?: LaneState): Promise<void> {
  const state = read ?? (await findLaneState(services.records, lane));
  // A lane's first execution starts before the lane has a record. Its first tick creates it.
  const { run = 1, sleepsUntil = '' } = state ?? {};
  const isAsleep = Date.parse(sleepsUntil) > services.now().getTime();
  await startRun(services, lane, isAsleep ? run + 1 : run);
}

/** Starts this run or a later one. The step doubles, because a restored lane may have thousands of closed runs. */
export async function startRun(services: Services, lane: string, run: number, tried = 0): Promise<void> {
  const started = await services.executions.startLane({ lane, run });
  if (started === 'running') return;
  await startRun(services, lane, run + 2 ** Math.max(0, tried - 1), tried + 1);
}

/** Makes sure that the lane of a queue is running. A failure is only logged, because the sweep retries. */
export async function tryStartQueue(services: Services, queue: Queue, read?: LaneState): Promise<void> {
  const { chainId, delegateAddress } = queue;
  try {
    await startLane(services, read?.lane ?? (await laneOf(services, queue)), read);
  } catch (error) {
    services.log.error('lane not started; the sweep retries', error, { chainId, delegateAddress });
  }
}

/** Starts the lanes that now send for the queues of a retired lane. There is none if every signer is revoked. */
export async function startSuccessors(services: LaneServices, queues: readonly Queue[]): Promise<void> {
  for (const queue of queues) {
    if ((await laneOf(services, queue)) !== services.lane) await tryStartQueue(services, queue);
  }
}
