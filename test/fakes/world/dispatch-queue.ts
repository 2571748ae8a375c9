import type { LaneState, Queue } from '../../../functions/domain/lane/lane.ts';
import { openOrReadLane } from '../../../functions/domain/lane/lane-records.ts';
import { laneServices } from '../../../functions/domain/lane/lane-services.ts';
import { laneOf } from '../../../functions/domain/lane/signers.ts';
import { dispatchQueue as dispatch } from '../../../functions/domain/sending/dispatch-queue.ts';
import type { Services } from '../../../functions/domain/services.ts';

/** Dispatches a queue to its sending lane, even while another dispatch has the sender's lease. */
export async function dispatchQueue(services: Services, queue: Queue): Promise<LaneState> {
  const lane = laneServices(services, await laneOf(services, queue));
  return dispatch(lane, queue, await openOrReadLane(lane));
}
