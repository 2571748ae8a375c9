import type { OperationKind } from './attestation.ts';
import { findAttestation } from './attestation-rows.ts';
import { bind, type Candidate } from './bind.ts';
import { broadcast, laneSigner } from './broadcast.ts';
import { dropOperation } from './drop-operation.ts';
import { CallRevertedError } from './errors.ts';
import { waitForFees } from './fee-cap.ts';
import { estimateFees } from './fees.ts';
import { type LaneState, type Operation, parseLane } from './lane.ts';
import { laneState } from './lane-opening.ts';
import type { Chain } from './ports.ts';
import { registryCall } from './registry-calls.ts';
import type { Services } from './services.ts';
import { Turns } from './turns.ts';
import { judge } from './verdict.ts';

/**
 * What gas an operation may take when others change the same storage before it: the second reveal of a content takes
 * most of twice the first. Gas not used is not paid for.
 */
const gasFloors: Record<OperationKind, bigint> = { commit: 80_000n, reveal: 260_000n, link: 90_000n };

/** One operation that cannot be tried says nothing of the next; two in a row say that it is the chain. */
const maxErrorsInRow = 2;

/** How an operation's turn ended; nothing when somebody else changed the lane meanwhile. */
type Turn = { readonly state: LaneState; readonly left: boolean } | undefined;

/**
 * Binds, signs and sends operations as long as the lane has room, in the invocation of whoever calls.
 *
 * @param known the lane's state, if it was read after the last operation was queued
 * @returns the lane's state after it
 */
export async function pump(services: Services, lane: string, known?: LaneState): Promise<LaneState> {
  const chain = services.chain(parseLane(lane).chainId);
  let state = known ?? (await laneState(services, chain, lane));
  for (;;) {
    const pumped = hasRoom(state, chain) ? await pumpRound(services, chain, state) : state;
    if (pumped) return pumped;
    state = await laneState(services, chain, lane);
  }
}

/** As `pump`; what goes wrong is only logged, because it delays and loses nothing. */
export async function pumpOrLeave(
  services: Services,
  lane: string,
  known?: LaneState,
): Promise<LaneState | undefined> {
  try {
    return await pump(services, lane, known);
  } catch (error) {
    services.log.error('pump interrupted', error, { lane });
    return undefined;
  }
}

function hasRoom({ paused, nextNonce, minedNonce }: LaneState, { settings }: Chain): boolean {
  return paused === undefined && nextNonce - minedNonce < settings.maxInFlight;
}

/** Nothing, when somebody else changed the lane: then all begins anew with its new state. */
async function pumpRound(services: Services, chain: Chain, read: LaneState): Promise<LaneState | undefined> {
  let state = read;
  const errors: unknown[] = [];
  const turns = await Turns.open(services.records, state.lane, state.lastOrganizationId);
  for (let operation = await turns.next(); operation; operation = await turns.next()) {
    try {
      const turn = await takeTurn(services, chain, state, operation);
      if (!turn) return undefined;
      turns.end(operation, turn.left);
      state = turn.state;
      errors.length = 0;
      if (!hasRoom(state, chain)) return state;
    } catch (error) {
      if (errors.push(error) >= maxErrorsInRow) break;
      turns.end(operation, false);
    }
  }
  if (errors.length > 0) throw errors[0];
  return state;
}

async function takeTurn(
  services: Services,
  chain: Chain,
  state: LaneState,
  operation: Operation,
): Promise<Turn> {
  const row = await findAttestation(services.records, operation);
  if (!row) return { state, left: false };
  const call = registryCall(row, operation.kind);
  try {
    return await send(services, chain, { state, operation, row, call });
  } catch (error) {
    if (!(error instanceof CallRevertedError)) throw error;
    const verdict = await judge(chain, row, operation, call);
    if (verdict.kind === 'unknown') return { state, left: false };
    await dropOperation(services, chain, { operation, row }, verdict);
    return { state, left: true };
  }
}

async function send(services: Services, chain: Chain, candidate: Candidate): Promise<Turn> {
  const { state, operation, call } = candidate;
  const [gas, market] = await Promise.all([chain.estimateGas(call), chain.feeMarket()]);
  const fees = estimateFees(market, chain.settings);
  if (!fees) return waitForFees(services, chain, candidate);
  // Before anything is bound: a nonce that this key cannot sign would never be used.
  await laneSigner(services, state.lane);
  const bound = await bind(services, candidate, gasLimit(operation.kind, gas), market.blockNumber);
  if (!bound) return undefined;
  await broadcast(services, chain, bound.transaction, { ...fees, signedAtBlock: market.blockNumber });
  return { state: bound.state, left: true };
}

/** Headroom for the state that other transactions change between the estimate and the block. */
function gasLimit(kind: OperationKind, estimate: bigint): bigint {
  const generous = (estimate * 13n) / 10n;
  return generous > gasFloors[kind] ? generous : gasFloors[kind];
}
