import type { Chain, Simulation } from '../chain.ts';
import { type LaneState, parseLane, type Queue } from '../lane/lane.ts';
import { laneSigner } from '../lane/signers.ts';
import type { Candidate } from '../operation/candidates.ts';
import { dropDiagnosed } from '../operation/drop-operations.ts';
import { type LostRace, lostRace } from '../records.ts';
import type { Services } from '../services.ts';
import { assignNonce, type TransactionDraft } from './assign-nonce.ts';
import { batchCallOf, fittingCount, gasLimitOf, routeOf } from './batch-call.ts';
import { broadcast } from './broadcast.ts';
import { feesFell, waitForFees } from './fee-cap.ts';
import { estimateFees } from './fees.ts';
import { checkFunds } from './funds.ts';
import { lastServed, type RoundRobin } from './round-robin.ts';

/** Operations of one queue that one transaction can hold. */
export interface Batch {
  readonly state: LaneState;
  readonly queue: Queue;
  readonly batch: readonly Candidate[];
  /** Candidates that were found, those of the batch included. */
  readonly waiting: readonly Candidate[];
  /** Round-robin that found them. */
  readonly roundRobin: RoundRobin;
}

/** Result of sending a batch. */
export interface BatchResult {
  readonly state: LaneState;
  /** Candidates that were sent, ended or found unready. The rest of the batch is tried again. */
  readonly handled: readonly Candidate[];
  readonly unready: readonly Candidate[];
  /** Whether balance, budget or fee cap allow no further transaction for now. */
  readonly isShort: boolean;
}

/**
 * Simulates a batch at the newest block, ends the operations that can never succeed, and sends the others in one
 * transaction: nonce assigned, signed, stored, broadcast.
 */
export async function sendBatch(
  services: Services,
  chain: Chain,
  given: Batch,
): Promise<BatchResult | LostRace> {
  const { state, batch } = given;
  const simulation = await chain.simulate(batchCallFor(given), routeFor(given));
  const fitting = fittingCount(batch.length, simulation.gas ?? 0n);
  if (fitting < batch.length) return sendBatch(services, chain, { ...given, batch: batch.slice(0, fitting) });
  const failing = batch.filter((_, position) => simulation.failures.has(position));
  const unready = await dropDiagnosed(services, chain, failing, parseLane(state.lane).signerAddress);
  const sendable = batch.filter((_, position) => !simulation.failures.has(position));
  if (sendable.length === 0) return { state, handled: batch, unready, isShort: false };
  const fees = estimateFees(simulation.feeData, chain.settings);
  if (!fees) return holdForFees(services, chain, given, unready);
  const draft = draftOf(given, sendable, simulation);
  const funds = checkFunds(draft, fees, chain.settings, services.now());
  if (funds.kind === 'short') return holdForFunds(services, given, unready, funds.reason);
  if (funds.isNearBudget) services.log.warn('lane near its fee budget', { lane: state.lane, ...funds.spent });
  // Before a nonce is assigned: a nonce for which this deployment has no key would never be used.
  await laneSigner(services, state.lane);
  const assigned = await assignNonce(services, draft, funds.spent);
  if (assigned === lostRace) return lostRace;
  const { transaction, payload } = assigned;
  const terms = { ...fees, signedAtBlock: draft.feeData.blockNumber };
  await broadcast(services, chain, { transaction, payload }, terms);
  return { state: assigned.state, handled: batch, unready, isShort: false };
}

function routeFor({ state, queue }: Batch) {
  return routeOf(queue.delegateAddress, parseLane(state.lane).signerAddress);
}

function batchCallFor(given: Batch) {
  const calls = given.batch.map(({ call }) => call);
  return batchCallOf(calls, routeFor(given), parseLane(given.state.lane).signerAddress);
}

/** Drafts the transaction of what can be sent. An organisation whose operations cannot be sent counts as served. */
function draftOf(
  given: Batch,
  sendable: readonly Candidate[],
  { feeData, gas = 0n }: Simulation,
): TransactionDraft {
  const { state, queue, batch, roundRobin } = given;
  const kinds = sendable.map(({ operation }) => operation.kind);
  const tried = batch.map(({ operation }) => operation);
  return {
    ...{ state, queue, feeData, batch: sendable },
    batchCall: batchCallFor({ ...given, batch: sendable }),
    gasLimit: gasLimitOf(kinds, routeFor(given), gas),
    lastOrganizationId: lastServed(roundRobin, tried),
  };
}

async function holdForFees(
  services: Services,
  chain: Chain,
  { state, batch, waiting }: Batch,
  unready: readonly Candidate[],
): Promise<BatchResult | LostRace> {
  const wait = await waitForFees(services, chain, state, waiting);
  if (wait === lostRace) return lostRace;
  const isShort = wait.gaveUp.length === 0;
  return { state: wait.state, handled: isShort ? [] : [...batch, ...wait.gaveUp], unready, isShort };
}

async function holdForFunds(
  services: Services,
  { state }: Batch,
  unready: readonly Candidate[],
  reason: string,
): Promise<BatchResult | LostRace> {
  services.log.error('lane short of means', new Error(reason), { lane: state.lane });
  const noted = await feesFell(services, state);
  return noted === lostRace ? lostRace : { state: noted, handled: [], unready, isShort: true };
}
