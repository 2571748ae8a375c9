import type { Attestation } from './attestation.ts';
import { findAttestation } from './attestation-rows.ts';
import { broadcast } from './broadcast.ts';
import { CallRevertedError } from './errors.ts';
import { estimateFees } from './fees.ts';
import { type LaneState, type Operation, parseLane, type Transaction } from './lane.ts';
import { laneState } from './lane-opening.ts';
import { changeState, nextOperations, putTransaction, takeOperation } from './lane-records.ts';
import { type Outcome, outcomeChanges } from './outcome.ts';
import type { Call, Chain } from './ports.ts';
import { registryCall } from './registry-calls.ts';
import type { Services } from './services.ts';
import { judge } from './verdict.ts';
import { wake } from './wake.ts';

/** Operations looked at for one transaction: one that cannot go yet must not hold up the ones behind it. */
const lookAhead = 8;

/** A transaction needs more gas than the newest block says when others change the same storage before it. */
const gasHeadroom = (estimate: bigint): bigint => (estimate * 13n) / 10n;

/** Binds, signs and sends operations as long as the lane has room, in the invocation of whoever calls. */
export async function pump(services: Services, lane: string): Promise<LaneState> {
  const chain = services.chain(parseLane(lane).chainId);
  for (;;) {
    const state = await laneState(services, chain, lane);
    if (state.paused !== undefined) return state;
    if (state.nextNonce - state.minedNonce >= chain.settings.maxInFlight) return state;
    const operations = await nextOperations(services.records, state, lookAhead);
    if (!(await bindOne(services, chain, state, operations))) return state;
  }
}

/** Whether anything changed, so that it is worth looking again. */
async function bindOne(
  services: Services,
  chain: Chain,
  state: LaneState,
  operations: readonly Operation[],
): Promise<boolean> {
  for (const operation of operations) {
    const row = await findAttestation(services.records, operation);
    if (row && (await sendOrRefuse(services, chain, { state, operation, row }))) return true;
  }
  return false;
}

interface Candidate {
  readonly state: LaneState;
  readonly operation: Operation;
  readonly row: Attestation;
}

async function sendOrRefuse(services: Services, chain: Chain, candidate: Candidate): Promise<boolean> {
  const { row, operation } = candidate;
  const call = registryCall(row, operation.kind);
  try {
    const [gas, market] = await Promise.all([chain.estimateGas(call), chain.feeMarket()]);
    const fees = estimateFees(market, chain.settings);
    if (!fees) return expire(services, chain, candidate);
    const transaction = await bind(services, candidate, call, gasHeadroom(gas));
    if (transaction) await broadcast(services, chain, transaction, fees);
    return true;
  } catch (error) {
    if (!(error instanceof CallRevertedError)) throw error;
    return refuse(services, chain, candidate, call);
  }
}

/** The one write that gives an operation its nonce. A crash right after leaves a transaction that Advance signs. */
async function bind(
  services: Services,
  { state, operation, row }: Candidate,
  call: Call,
  gasLimit: bigint,
): Promise<Transaction | undefined> {
  const { lane, nextNonce: nonce } = state;
  const bound = operation.kind === 'link' ? { ...operation, childSequence: row.childSequence } : operation;
  const { to, data } = call;
  const transaction: Transaction = {
    ...{ lane, nonce, operations: [bound], to, data, gasLimit, attempts: [], state: 'open', version: 1 },
  };
  const idle = state.minedNonce === nonce;
  const done = await services.records.transact([
    changeState(state, {
      nextNonce: nonce + 1,
      lastOrganizationId: operation.organizationId,
      ...(idle ? { lowestSince: services.now().toISOString() } : {}),
    }),
    putTransaction(transaction),
    takeOperation(lane, operation),
  ]);
  return done ? transaction : undefined;
}

/** Ends an operation when a final block says that it cannot be done or need not be. */
async function refuse(services: Services, chain: Chain, candidate: Candidate, call: Call): Promise<boolean> {
  const verdict = await judge(chain, candidate.row, candidate.operation.kind, call);
  return verdict.kind !== 'unknown' && end(services, chain, candidate, verdict);
}

/** Ends an operation that has waited longer than the longest wait for fees to fall. */
async function expire(services: Services, chain: Chain, candidate: Candidate): Promise<boolean> {
  const hours = services.settings.maxQueuedHours;
  const waited = services.now().getTime() - Date.parse(candidate.operation.queuedAt);
  if (waited < hours * 3_600_000) return false;
  const cap = chain.settings.maxFeePerGasGwei;
  const reason = `gas price stayed above the cap of ${cap} gwei for ${hours} h; submit the content again`;
  return end(services, chain, candidate, { kind: 'refused', reason });
}

/** Written with the removal of the still unbound operation, so nothing of it can appear on-chain afterwards. */
async function end(
  services: Services,
  chain: Chain,
  { state, operation, row }: Candidate,
  outcome: Outcome,
): Promise<boolean> {
  const done = await services.records.transact([
    takeOperation(state.lane, operation),
    ...outcomeChanges(row, operation, outcome, chain.settings.revealDelaySeconds),
  ]);
  if (done) await wake(services, operation, operation.kind);
  return true;
}
