import type { Call, Chain, Fees, Simulation } from '../chain.ts';
import { type LaneState, parseLane, type Queue } from '../lane/lane.ts';
import { laneSigner } from '../lane/signers.ts';
import type { Candidate } from '../operation/candidates.ts';
import { dropHopeless } from '../operation/drop-operations.ts';
import type { Services } from '../services.ts';
import { bind, type Proposal } from './assign-nonce.ts';
import { envelopeOf, fittingCount, gasLimitOf, routeOf } from './batch-call.ts';
import { broadcast } from './broadcast.ts';
import { feesFell, waitForFees } from './fee-cap.ts';
import { estimateFees } from './fees.ts';
import { checkFunds } from './funds.ts';
import { lastServed, type Turns } from './round-robin.ts';

/** Operations of one queue that one transaction can hold. */
export interface Batch {
  readonly state: LaneState;
  readonly queue: Queue;
  readonly batch: readonly Candidate[];
  /** All that was found, the batch among it. */
  readonly waiting: readonly Candidate[];
  /** The look that found them. */
  readonly turns: Turns;
}

/** How a batch's turn ended. */
export interface Turn {
  readonly state: LaneState;
  /** Bound, ended or found unready; the rest of the batch has its turn again. */
  readonly handled: readonly Candidate[];
  readonly unready: readonly Candidate[];
  /** Money, budget or the fee cap forbid any more for now. */
  readonly isShort: boolean;
}

/**
 * Tries a batch at the newest block, ends what can never be done, and binds and sends the rest.
 *
 * @returns nothing when somebody else changed the lane, or took one of the operations, meanwhile
 */
export async function bindBatch(services: Services, chain: Chain, given: Batch): Promise<Turn | undefined> {
  const { state, queue, batch, waiting } = given;
  const { signerAddress } = parseLane(state.lane);
  const route = routeOf(queue.delegateAddress, signerAddress);
  const envelope = envelopeOf(callsOf(batch), route, signerAddress);
  const simulation = await chain.simulate(envelope, route);
  const fitting = fittingCount(batch.length, simulation.gas ?? 0n);
  if (fitting < batch.length) return bindBatch(services, chain, { ...given, batch: batch.slice(0, fitting) });
  const unready = await dropHopeless(
    services,
    chain,
    batch.filter((_, position) => simulation.failures.has(position)),
  );
  const sendable = batch.filter((_, position) => !simulation.failures.has(position));
  if (sendable.length === 0) return { state, handled: batch, unready, isShort: false };
  // Whoever could not go had its turn all the same.
  const lastOrganizationId = lastServed(
    given.turns,
    batch.map(({ operation }) => operation),
  );
  const sending = { state, queue, batch: sendable, waiting, lastOrganizationId };
  const turn = await send(services, chain, sending, simulation);
  return turn && { ...turn, handled: turn.isShort ? [] : [...batch, ...(turn.gaveUp ?? [])], unready };
}

function callsOf(batch: readonly Candidate[]): Call[] {
  return batch.map(({ call }) => call);
}

type Sendable = Pick<Proposal, 'state' | 'queue' | 'batch' | 'lastOrganizationId'> & Pick<Batch, 'waiting'>;

interface Sending extends Pick<Turn, 'state' | 'isShort'> {
  /** Ended, of all that waits: they waited too long. */
  readonly gaveUp?: readonly Candidate[];
}

async function send(
  services: Services,
  chain: Chain,
  given: Sendable,
  { feeData, gas = 0n }: Simulation,
): Promise<Sending | undefined> {
  const { state, queue, batch, waiting } = given;
  const fees = estimateFees(feeData, chain.settings);
  if (!fees) {
    const wait = await waitForFees(services, chain, state, waiting);
    return wait && { ...wait, isShort: wait.gaveUp.length === 0 };
  }
  const { signerAddress } = parseLane(state.lane);
  const route = routeOf(queue.delegateAddress, signerAddress);
  const kinds = batch.map(({ operation }) => operation.kind);
  const envelope = envelopeOf(callsOf(batch), route, signerAddress);
  const gasLimit = gasLimitOf(kinds, route, gas);
  return sendAt(services, chain, { ...given, envelope, gasLimit, feeData }, fees);
}

async function sendAt(
  services: Services,
  chain: Chain,
  proposal: Proposal,
  fees: Fees,
): Promise<Sending | undefined> {
  const { state, feeData } = proposal;
  const funds = checkFunds(proposal, fees, chain.settings, services.now());
  if (funds.kind === 'short') {
    services.log.error('lane short of means', new Error(funds.reason), { lane: state.lane });
    const noted = await feesFell(services, state);
    return noted && { state: noted, isShort: true };
  }
  // Before anything is bound: a nonce that this key cannot sign would never be used.
  await laneSigner(services, state.lane);
  const bound = await bind(services, proposal, funds.spent);
  if (!bound) return undefined;
  const { transaction, payload } = bound;
  const terms = { ...fees, signedAtBlock: feeData.blockNumber };
  await broadcast(services, chain, { transaction, data: payload.data }, terms);
  return { state: bound.state, isShort: false };
}
