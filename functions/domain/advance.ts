import { type LaneState, parseLane } from './lane.ts';
import { laneState } from './lane-opening.ts';
import { changeState, hasQueue } from './lane-records.ts';
import { nudge } from './nudge.ts';
import { pumpOrLeave } from './pump.ts';
import type { Services } from './services.ts';
import { settleMined } from './settle-mined.ts';
import { startLane } from './start-lane.ts';

/** An execution's history ends at 25,000 events; a turn is some fifteen of them. */
const turnsPerRun = 500;

/** One turn of a lane's execution, as its state machine hands it on. */
export interface LaneTurn {
  readonly lane: string;
  readonly run: number;
  readonly turn: number;
}

export interface NextTurn extends LaneTurn {
  readonly done: boolean;
  readonly waitSeconds: number;
}

/** Looks at the chain once and does all that follows from it: settles, signs, replaces, binds. Safe at any time. */
export async function advance(services: Services, turn: LaneTurn): Promise<NextTurn> {
  const chain = services.chain(parseLane(turn.lane).chainId);
  const ended = { ...turn, done: true, waitSeconds: 0 };
  const state = await laneState(services, chain, turn.lane);
  // A raised run means that another execution has taken over.
  if (state.run !== turn.run) return ended;
  const settled = await settleMined(services, chain, state);
  if (settled && !isPaused(services, settled.state)) await nudge(services, chain, settled);
  const after = await pumpOrLeave(services, turn.lane, settled?.state);
  if (after && (await endRun(services, after, turn))) return ended;
  const waitSeconds = Math.max(1, Math.round(chain.settings.blockTimeSeconds));
  return { ...turn, turn: turn.turn + 1, done: false, waitSeconds };
}

/** Said every turn, so that the alarm stays up for as long as the lane is paused. */
function isPaused({ log }: Services, { lane, paused }: LaneState): boolean {
  if (paused !== undefined) log.error('lane paused', new Error(paused), { lane });
  return paused !== undefined;
}

/**
 * Ends the run when nothing is owed, or when its history is long. The run is raised first and the queue read after:
 * whoever queues reads the run after queuing, so one of the two sees the other.
 */
async function endRun(services: Services, state: LaneState, { turn }: LaneTurn): Promise<boolean> {
  const idle = state.finalNonce === state.nextNonce && !(await hasQueue(services.records, state.lane));
  if (!idle && turn + 1 < turnsPerRun) return false;
  if (!(await services.records.update(changeState(state, { run: state.run + 1 })))) return false;
  if (!idle || (await hasQueue(services.records, state.lane))) await startLane(services, state.lane);
  return true;
}
