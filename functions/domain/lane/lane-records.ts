import { LostRaceError, NotYetFinalError } from '../errors.ts';
import { type Change, catchRace, type Key, type Records } from '../records.ts';
import type { Services } from '../services.ts';
import { parseRecord } from '../stored-record.ts';
import { type LaneState, laneName, stateForm } from './lane.ts';
import { type LaneServices, readKeySnapshot } from './lane-services.ts';
import { servedAddresses } from './served-queues.ts';
import { chainSigners } from './signers.ts';

export function laneStateRecord(lane: string): Key {
  return { table: 'lanes', pk: lane, sk: 'STATE' };
}

export async function findLaneState(records: Records, lane: string): Promise<LaneState | undefined> {
  const fields = await records.get(laneStateRecord(lane));
  return fields && { ...parseRecord('lane', stateForm, fields), lane };
}

/**
 * Writes the lane's first record: its key's nonce on the chain, and the delegates and registries of the chain's other
 * lanes, whose queues it may take over.
 * @throws NotYetFinalError if the lane is opened to send, and a reorg could still undo the key's transactions
 */
async function openLane(services: LaneServices, purpose: 'send' | 'stop'): Promise<void> {
  const { records, lane, chainId, signerAddress, laneChain } = services;
  const [{ minedCount: nonce, head }, finalCount] = await Promise.all([
    readKeySnapshot(services),
    purpose === 'send' && laneChain.atFinal((view) => view.minedCount(signerAddress)),
  ]);
  // If a reorg undid an earlier transaction, its free nonce would block all transactions of the lane, which come after it.
  if (finalCount !== false && finalCount !== nonce)
    throw new NotYetFinalError(`lane ${lane} begins when its key's nonce is final; try again later`);
  const names = (await chainSigners(services, chainId)).map(({ address }) => laneName(chainId, address));
  const states = await Promise.all(names.map((name) => findLaneState(records, name)));
  const served = servedAddresses(services, ...states);
  const nonces = { nextNonce: nonce, minedNonce: nonce, finalNonce: nonce };
  const put = { schema: 1, run: 1, version: 1, ...nonces, ...served, lowestSinceBlock: head.number };
  await records.update({ key: laneStateRecord(lane), put, ifAbsent: true });
}

/** Records the settings' delegates and registries if they are new, because the settings may change later. */
export async function recordServed(services: LaneServices, state: LaneState): Promise<LaneState> {
  const { delegates, registries } = state;
  const served = servedAddresses(services, state);
  if (served.delegates.length === delegates.length && served.registries.length === registries.length)
    return state;
  const recorded = await catchRace(writeState(services, state, served));
  return recorded ?? openOrReadLane(services);
}

export type StateFields = {
  readonly [Name in Exclude<keyof LaneState, 'lane' | 'version'>]?: LaneState[Name] | undefined;
};

export function changeState(state: LaneState, set: StateFields): Change {
  return {
    key: laneStateRecord(state.lane),
    expect: { version: state.version },
    set: { ...set, version: state.version + 1 },
  };
}

/** Writes a change of the state together with other changes; returns the new state. @throws LostRaceError */
export async function writeState(
  { records }: Pick<Services, 'records'>,
  state: LaneState,
  set: StateFields,
  others: readonly Change[] = [],
): Promise<LaneState> {
  const change = changeState(state, set);
  const isWritten =
    others.length > 0 ? await records.transact([...others, change]) : await records.update(change);
  if (!isWritten) throw new LostRaceError();
  return { ...state, ...set, version: state.version + 1 } as LaneState;
}

/** Returns the lane's record. On first use, creates the record from the chain. @throws NotYetFinalError */
export async function openOrReadLane(
  services: LaneServices,
  purpose: 'send' | 'stop' = 'send',
): Promise<LaneState> {
  const known = await findLaneState(services.records, services.lane);
  if (known) return recordServed(services, known);
  await openLane(services, purpose);
  return openOrReadLane(services, purpose);
}
