import { endAttested } from './end-attested.ts';
import { type LaneState, parseLane } from './lane.ts';
import { changeLane, lookAtKey, unpaused } from './lane-control-change.ts';
import { LaneAheadError, LaneUnsettledError } from './lane-control-errors.ts';
import type { StateFields } from './lane-records.ts';
import type { Chain } from './ports.ts';
import type { Services } from './services.ts';
import { startLaneOrLeave } from './start-lane.ts';

/**
 * Lets the lane go on behind transactions of its key that it does not know: somebody else's, or its own from before
 * its record was restored. Only when all that it knows is final, and the last that it does not know is too. What they did
 * of what waits is not done again.
 *
 * @throws LaneUnsettledError saying what it waits for, LaneAheadError
 */
export async function resyncLane(services: Services, lane: string): Promise<LaneState> {
  const resynced = await changeLane(services, lane, async (state, chain) => {
    requireSettled(state);
    const fields = await resyncedFields(chain, state);
    await endAttested(services, chain, state);
    return fields;
  });
  await startLaneOrLeave(services, lane);
  return resynced;
}

async function resyncedFields(
  chain: Chain,
  { lane, nextNonce: next, paused }: LaneState,
): Promise<StateFields> {
  const { minedCount, head } = await lookAtKey(chain, lane);
  if (minedCount < next) throw new LaneAheadError(lane, { chain: minedCount, next });
  if (minedCount === next) return paused === undefined ? {} : unpaused;
  await requireSpent(chain, lane, minedCount - 1);
  const nonces = { nextNonce: minedCount, minedNonce: minedCount, finalNonce: minedCount };
  return { ...nonces, lowestSinceBlock: head.number, ...unpaused };
}

function requireSettled({ lane, finalNonce, nextNonce }: LaneState): void {
  if (finalNonce === nextNonce) return;
  const last = nextNonce - 1;
  const which = finalNonce === last ? `transaction ${last} is` : `transactions ${finalNonce} to ${last} are`;
  throw new LaneUnsettledError(`${which} not final yet; \`lane status\` says what lane ${lane} waits for`);
}

async function requireSpent(chain: Chain, lane: string, nonce: number): Promise<void> {
  const { signerAddress } = parseLane(lane);
  if ((await chain.atFinal((view) => view.minedCount(signerAddress))) > nonce) return;
  const { confirmations } = chain.settings;
  throw new LaneUnsettledError(
    `the key's newest transaction, nonce ${nonce}, is not ${confirmations} blocks deep yet; try again then`,
  );
}
