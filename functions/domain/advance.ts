import type { Hash } from 'viem';
import { type LaneState, parseLane, type Transaction } from './lane.ts';
import { laneState } from './lane-opening.ts';
import { changeState, findLaneState, hasQueue, unsettledTransactions } from './lane-records.ts';
import { nudge } from './nudge.ts';
import type { Chain, Receipt, Sighting } from './ports.ts';
import { pump } from './pump.ts';
import type { Services } from './services.ts';
import { settle } from './settle.ts';
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
  await settleMined(services, chain, state);
  await nudge(services, chain, turn.lane);
  const after = await pump(services, turn.lane);
  if (await endRun(services, after, turn)) return ended;
  const waitSeconds = Math.max(1, Math.round(chain.settings.blockTimeSeconds));
  return { ...turn, turn: turn.turn + 1, done: false, waitSeconds };
}

/** Settles from the lowest nonce up, as far as receipts go. */
async function settleMined(services: Services, chain: Chain, first: LaneState): Promise<void> {
  const transactions = await unsettledTransactions(services.records, first);
  const hashes = transactions.flatMap(({ attempts }) => attempts.map(({ hash }) => hash));
  if (hashes.length === 0) return;
  const sighting = await chain.sight(parseLane(first.lane).signerAddress, hashes);
  if (sighting.minedCount > first.nextNonce) return pause(services, first, sighting);
  let state: LaneState | undefined = first;
  for (const transaction of transactions) {
    const receipt = receiptOf(transaction, sighting.receipts);
    if (!receipt || !state) return;
    const deep = sighting.head.number - receipt.blockNumber + 1 >= chain.settings.confirmations;
    const final = deep && state.finalNonce === transaction.nonce;
    if (transaction.state === 'mined' && !final) continue;
    if (!(await settle(services, chain, { state, transaction, receipt, final }))) return;
    state = await findLaneState(services.records, first.lane);
  }
}

function receiptOf({ attempts }: Transaction, receipts: ReadonlyMap<Hash, Receipt>): Receipt | undefined {
  return attempts.map(({ hash }) => receipts.get(hash)).find((receipt) => receipt !== undefined);
}

/** Somebody else used the key: binding on would collide. An operator decides. */
async function pause(services: Services, state: LaneState, { minedCount }: Sighting): Promise<void> {
  const paused = `the chain has ${minedCount} transactions of the key, the lane only ${state.nextNonce}`;
  // A lane that changed meanwhile may have bound and sent what the chain shows: the next turn looks again.
  if (!(await services.records.update(changeState(state, { paused })))) return;
  services.log.error('lane paused', new Error(paused), { lane: state.lane });
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
