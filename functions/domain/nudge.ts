import { broadcast, send } from './broadcast.ts';
import { estimateFees, replacementFees } from './fees.ts';
import type { LaneState, Transaction } from './lane.ts';
import { findLaneState, unsettledTransactions } from './lane-records.ts';
import type { Chain } from './ports.ts';
import type { Services } from './services.ts';

/** A transaction is replaced when it has been the lowest for three blocks, and not sooner than this. */
const minReplacementSeconds = 12;

/** At the fee cap, and behind the lowest nonce, the same bytes are sent again this often. */
const rebroadcastSeconds = 60;

/** Signs what a crash left unsigned, replaces the lowest when it is stuck, sends the others again at times. */
export async function nudge(services: Services, chain: Chain, lane: string): Promise<void> {
  const state = await findLaneState(services.records, lane);
  if (!state || state.paused !== undefined) return;
  const open = (await unsettledTransactions(services.records, state)).filter((tx) => tx.state === 'open');
  for (const transaction of open) {
    const idleSeconds = secondsSinceMoved(services, state, transaction);
    if (transaction.attempts.length === 0) await broadcastFirst(services, chain, transaction);
    else if (transaction.nonce === state.minedNonce) await replace(services, chain, transaction, idleSeconds);
    else if (isDue(idleSeconds, rebroadcastSeconds, chain)) await send(services, chain, transaction);
  }
}

function secondsSinceMoved(services: Services, state: LaneState, { attempts }: Transaction): number {
  const times = [state.lowestSince, attempts.at(-1)?.signedAt ?? ''].map((time) => Date.parse(time) || 0);
  return (services.now().getTime() - Math.max(...times)) / 1000;
}

/** Rebroadcast keeps no record of its own: it happens in the one turn in which a full period has passed. */
function isDue(idleSeconds: number, periodSeconds: number, { settings }: Chain): boolean {
  return idleSeconds >= periodSeconds && idleSeconds % periodSeconds < settings.blockTimeSeconds + 1;
}

async function broadcastFirst(services: Services, chain: Chain, transaction: Transaction): Promise<void> {
  const fees = estimateFees(await chain.feeMarket(), chain.settings);
  if (fees) await broadcast(services, chain, transaction, fees);
}

async function replace(
  services: Services,
  chain: Chain,
  transaction: Transaction,
  idleSeconds: number,
): Promise<void> {
  const last = transaction.attempts.at(-1);
  if (!last || idleSeconds < Math.max(3 * chain.settings.blockTimeSeconds, minReplacementSeconds)) return;
  const fees = replacementFees(last, await chain.feeMarket(), chain.settings);
  if (fees) return broadcast(services, chain, transaction, fees);
  services.log.warn('fee cap reached', { lane: transaction.lane, nonce: transaction.nonce });
  if (isDue(idleSeconds, rebroadcastSeconds, chain)) await send(services, chain, transaction);
}
