import type { Chain, ChainSnapshot } from '../chain.ts';
import { ExpectedError, ThrottledError } from '../errors.ts';
import { type LaneState, parseLane } from '../lane/lane.ts';
import { changedState, changeState, openOrReadLane, type StateFields } from '../lane/lane-records.ts';
import { tryStartLane } from '../lane/start-lane.ts';
import { endAttested } from '../operation/drop-operations.ts';
import type { Services } from '../services.ts';

/** What ends a pause: nobody looked at fees meanwhile, so whoever waits for them to fall begins anew. */
const unpaused = { paused: undefined, cappedSince: undefined } as const;

/** A change that lost a race is made again this often. */
export const maxControlTries = 5;

/** One conditional write of the lane's record, decided anew whenever somebody else was faster; none for `{}`. */
async function changeLane(
  services: Services,
  lane: string,
  decide: (state: LaneState, chain: Chain) => StateFields | Promise<StateFields>,
): Promise<LaneState> {
  const chain = services.chain(parseLane(lane).chainId);
  for (let tries = 0; tries < maxControlTries; tries++) {
    const state = await openOrReadLane(services, chain, lane);
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
function lookAtKey(chain: Chain, lane: string): Promise<ChainSnapshot> {
  const { signerAddress } = parseLane(lane);
  return chain.snapshot({ signerAddress, hashes: [], blockNumbers: [] });
}

/** Binding again would use nonces that are spent. */
export class LaneBehindError extends ExpectedError {
  constructor(lane: string, { chain, next }: { chain: number; next: number }) {
    super(
      `on the chain the key's next nonce is ${chain}, and lane ${lane} would go on with ${next}: ` +
        'find out who else uses the key, then use `lane resync`',
    );
  }
}

/** A provider that lags, or a chain that was set back; neither is mended by going on from there. */
class LaneAheadError extends ExpectedError {
  constructor(lane: string, { chain, next }: { chain: number; next: number }) {
    super(
      `on the chain the key's next nonce is ${chain}, although lane ${lane} has all below ${next} final; ` +
        'check the providers',
    );
  }
}

/** What has to be final first is not; the message says what. */
class LaneUnsettledError extends ExpectedError {}

export class TransactionMissingError extends ExpectedError {
  constructor(lane: string, nonce?: number) {
    super(
      nonce === undefined
        ? `lane ${lane} has no open transaction`
        : `lane ${lane} has no transaction ${nonce}`,
    );
  }
}

/** In a block already, or given up: no cancellation reaches it. */
export class TransactionClosedError extends ExpectedError {
  constructor(lane: string, nonce: number) {
    super(`transaction ${nonce} of lane ${lane} is not open any more`);
  }
}

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
  await tryStartLane(services, lane);
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

/** Nothing is bound from now on; what is open goes on being settled. */
export function pauseLane(
  services: Services,
  lane: string,
  reason = 'paused by an operator',
): Promise<LaneState> {
  return changeLane(services, lane, ({ paused }) => (paused === reason ? {} : { paused: reason }));
}

/** Lets a paused lane bind again. @throws LaneBehindError while the chain has more of the key than the lane. */
export async function resumeLane(services: Services, lane: string): Promise<LaneState> {
  const resumed = await changeLane(services, lane, async ({ paused, nextNonce: next }, chain) => {
    if (paused === undefined) return {};
    const { minedCount } = await lookAtKey(chain, lane);
    if (minedCount > next) throw new LaneBehindError(lane, { chain: minedCount, next });
    return unpaused;
  });
  await tryStartLane(services, lane);
  return resumed;
}
