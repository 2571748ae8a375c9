import { ThrottledError } from './errors.ts';
import { type LaneState, parseLane } from './lane.ts';
import { laneState } from './lane-opening.ts';
import { changedState, changeState, type StateFields } from './lane-records.ts';
import type { Chain, Sighting } from './ports.ts';
import type { Services } from './services.ts';

/** What ends a pause: nobody looked at fees meanwhile, so whoever waits for them to fall begins anew. */
export const unpaused = { paused: undefined, cappedSince: undefined } as const;

/** A change that lost a race is made again this often. */
export const maxTries = 5;

/** One conditional write of the lane's record, decided anew whenever somebody else was faster; none for `{}`. */
export async function changeLane(
  services: Services,
  lane: string,
  decide: (state: LaneState, chain: Chain) => StateFields | Promise<StateFields>,
): Promise<LaneState> {
  const chain = services.chain(parseLane(lane).chainId);
  for (let tries = 0; tries < maxTries; tries++) {
    const state = await laneState(services, chain, lane);
    const fields = await decide(state, chain);
    if (Object.keys(fields).length === 0) return state;
    if (await services.records.update(changeState(state, fields))) return changedState(state, fields);
  }
  throw laneBusy(lane);
}

export function laneBusy(lane: string): ThrottledError {
  return new ThrottledError(`lane ${lane} is being changed by others at this moment; try again`);
}

/** What the chain shows of the lane's key alone. */
export function lookAtKey(chain: Chain, lane: string): Promise<Sighting> {
  const { signerAddress } = parseLane(lane);
  return chain.sight({ signerAddress, hashes: [], blockNumbers: [] });
}
