import { ExpectedError, RefusedError } from '../errors.ts';
import type { LaneState } from '../lane/lane.ts';
import { openOrReadLane, type StateFields, writeState } from '../lane/lane-records.ts';
import { type LaneServices, laneServices, readKeySnapshot } from '../lane/lane-services.ts';
import { startLane } from '../lane/start-lane.ts';
import { retryLostRaces } from '../records.ts';
import type { Services } from '../services.ts';
import { endAttestedOperations, requeueLostOperations } from './requeue-lost-operations.ts';
import { requireUsed, skipLostNonces } from './skip-lost-nonces.ts';

/** Fields that end a pause. A paused lane does not record that fees fell, so the wait for lower fees starts again. */
const unpaused = { paused: undefined, cappedSince: undefined } as const;

/** Changes a lane in one conditional write. `decide` runs again after each lost race; `{}` writes nothing. */
async function changeLane(
  base: Services,
  lane: string,
  decide: (state: LaneState, services: LaneServices) => StateFields | Promise<StateFields>,
): Promise<LaneState> {
  const services = laneServices(base, lane);
  const change = async () => {
    const state = await openOrReadLane(services);
    const fields = await decide(state, services);
    return Object.keys(fields).length === 0 ? state : writeState(services, state, fields);
  };
  return retryLostRaces(change, `lane ${lane}`);
}

/** Starts the lane like `startLane`. A failure is only logged, because the sweep retries. */
export async function tryStartLane(services: Services, lane: string): Promise<void> {
  try {
    await startLane(services, lane);
  } catch (error) {
    services.log.error('lane not started; the sweep retries', error, { lane });
  }
}

/** The chain has more transactions of the key than the lane, so the lane's next nonce is already used. */
export class LaneBehindError extends ExpectedError {
  constructor(lane: string, { chain, next }: { chain: number; next: number }) {
    super(
      `on the chain the key's next nonce is ${chain}, and lane ${lane} would continue with ${next}: ` +
        'find out who else uses the key, then use `lane resync`',
    );
  }
}

export type ResyncedLane = LaneState & {
  /** Lanes that may hold lost operations. When their transactions are final, another resync queues those operations. */
  readonly heldBy?: readonly string[];
};

/**
 * Moves the lane's nonces past transactions of its key that it does not know: of another program, or its own from
 * before a restore. All known transactions and the last unknown one must be final. Queued operations that those
 * transactions did are ended, and operations that a restore lost are queued again.
 * @throws RefusedError with what it waits for
 */
export async function resyncLane(services: Services, lane: string): Promise<ResyncedLane> {
  const skipped = await changeLane(services, lane, (state, scoped) => skipLostNonces(scoped, state));
  if (skipped.finalNonce < skipped.nextNonce) await tryStartLane(services, lane);
  let heldBy: readonly string[] = [];
  const resynced = await changeLane(services, lane, async (state, scoped) => {
    requireSettled(state);
    const fields = await resyncedFields(scoped, state);
    heldBy = await requeueLostOperations(scoped, state);
    await endAttestedOperations(scoped, state);
    return fields;
  });
  await tryStartLane(services, lane);
  return heldBy.length > 0 ? { ...resynced, heldBy } : resynced;
}

async function resyncedFields(services: LaneServices, { lane, nextNonce: next, paused }: LaneState) {
  const { minedCount, head } = await readKeySnapshot(services);
  // A resync fixes neither a lagging provider nor a reorg. The lane repairs a reorg when a final block shows it.
  if (minedCount < next)
    throw new RefusedError(
      `on the chain the key's next nonce is ${minedCount}, although lane ${lane} counts all below ${next} as final: a ` +
        'provider lags, or a reorg undid transactions, which the lane repairs automatically',
    );
  if (minedCount === next) return paused === undefined ? {} : unpaused;
  await requireUsed(services, minedCount - 1);
  const nonces = { nextNonce: minedCount, minedNonce: minedCount, finalNonce: minedCount };
  return { ...nonces, lowestSinceBlock: head.number, ...unpaused };
}

function requireSettled({ lane, finalNonce, nextNonce }: LaneState): void {
  if (finalNonce === nextNonce) return;
  const last = nextNonce - 1;
  const which = finalNonce === last ? `transaction ${last} is` : `transactions ${finalNonce} to ${last} are`;
  throw new RefusedError(`${which} not final yet; \`lane status\` shows what lane ${lane} waits for`);
}

/** Pauses a lane: it assigns no more nonces, and continues to settle its pending transactions. */
export function pauseLane(services: Services, lane: string, reason = 'paused by an operator') {
  return changeLane(services, lane, ({ paused }) => (paused === reason ? {} : { paused: reason }));
}

/** Resumes a paused lane. @throws LaneBehindError if the chain has more of the key's transactions than the lane */
export async function resumeLane(services: Services, lane: string): Promise<LaneState> {
  const resumed = await changeLane(services, lane, async ({ paused, nextNonce: next }, scoped) => {
    if (paused === undefined) return {};
    const { minedCount } = await readKeySnapshot(scoped);
    if (minedCount > next) throw new LaneBehindError(lane, { chain: minedCount, next });
    return unpaused;
  });
  await tryStartLane(services, lane);
  return resumed;
}
