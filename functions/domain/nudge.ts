import { broadcast, rebroadcast } from './broadcast.ts';
import { estimateFees, replacementFees } from './fees.ts';
import type { LaneState, Transaction } from './lane.ts';
import type { Chain, Sighting } from './ports.ts';
import type { Services } from './services.ts';

/** A transaction is replaced when it has been the lowest, and its newest attempt out, for this many blocks… */
const replacementBlocks = 3;

/** …and its newest attempt for this long. */
const replacementSeconds = 12;

/** At the fee cap, and behind the lowest nonce, the same bytes are sent again this often. */
const rebroadcastSeconds = 60;

export interface OpenTransactions {
  readonly state: LaneState;
  /** Unmined, lowest nonce first. */
  readonly open: readonly Transaction[];
  /** Absent when nothing was ever signed. */
  readonly sighting?: Sighting;
}

/** Signs what a crash left unsigned, replaces the lowest when it is stuck, sends the others again at times. */
export async function nudge(services: Services, chain: Chain, lane: OpenTransactions): Promise<void> {
  for (const transaction of lane.open) {
    if (transaction.attempts.length === 0) await broadcastFirst(services, chain, transaction);
    else if (lane.sighting)
      await nudgeOne(services, chain, transaction, { ...lane, sighting: lane.sighting });
  }
}

async function broadcastFirst(services: Services, chain: Chain, transaction: Transaction): Promise<void> {
  const market = await chain.feeMarket();
  const fees = estimateFees(market, chain.settings);
  if (fees) await broadcast(services, chain, transaction, { ...fees, signedAtBlock: market.blockNumber });
}

async function nudgeOne(
  services: Services,
  chain: Chain,
  transaction: Transaction,
  { state, sighting }: Required<OpenTransactions>,
): Promise<void> {
  const { lane, nonce } = transaction;
  if (sighting.minedCount > nonce) {
    // A provider that lags, or somebody else's transaction: another attempt would be for nothing either way.
    services.log.warn('nonce mined without receipt', { lane, nonce });
  } else if (nonce === state.minedNonce && isStuck(services, state, transaction, sighting)) {
    await replace(services, chain, transaction);
  } else if (secondsOut(services, transaction) >= rebroadcastSeconds) {
    await rebroadcast(services, chain, transaction);
  }
}

function isStuck(
  services: Services,
  state: LaneState,
  transaction: Transaction,
  { head }: Sighting,
): boolean {
  const since = Math.max(state.lowestSinceBlock, transaction.attempts.at(-1)?.signedAtBlock ?? 0);
  return head.number - since >= replacementBlocks && secondsOut(services, transaction) >= replacementSeconds;
}

function secondsOut({ now }: Services, { attempts }: Transaction): number {
  return (now().getTime() - Date.parse(attempts.at(-1)?.sentAt ?? '')) / 1000;
}

async function replace(services: Services, chain: Chain, transaction: Transaction): Promise<void> {
  const last = transaction.attempts.at(-1);
  const market = await chain.feeMarket();
  const fees = last && replacementFees(last, market, chain.settings);
  if (fees) return broadcast(services, chain, transaction, { ...fees, signedAtBlock: market.blockNumber });
  const { lane, nonce } = transaction;
  services.log.warn('fee cap reached', { lane, nonce });
  if (secondsOut(services, transaction) >= rebroadcastSeconds)
    await rebroadcast(services, chain, transaction);
}
