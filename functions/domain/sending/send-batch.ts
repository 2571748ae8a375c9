import { delegateOf } from '../attestation/attestation.ts';
import type { RegistryState } from '../chain.ts';
import type { LaneState, Operation, Queue } from '../lane/lane.ts';
import { writeState } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { laneSigner } from '../lane/signers.ts';
import { transactionsFrom } from '../lane/transaction-records.ts';
import type { Candidate } from '../operation/candidates.ts';
import { dropDiagnosed, mayFail, refuse } from '../operation/drop-operations.ts';
import { assignNonce } from './assign-nonce.ts';
import {
  batchLimits,
  type CallBatch,
  gasLimitOf,
  shorten,
  shrinkFactor,
  transactionCall,
} from './batch-call.ts';
import { signAndSend } from './broadcast.ts';
import { estimateFees } from './fees.ts';
import { addSpending, gasAllowance, isNearBudget, maxCost } from './funds.ts';

export interface Batch extends CallBatch {
  readonly state: LaneState;
  readonly queue: Queue;
  /** All candidates, including those of the batch. */
  readonly waiting: readonly Candidate[];
}

export interface BatchResult {
  readonly state: LaneState;
  /** Candidates that were sent, ended or found unready. If there are none, fees or funds allow nothing more for now. */
  readonly handled: readonly Candidate[];
  readonly unready: readonly Operation[];
}

/** Simulates a batch, ends operations that can never succeed, and sends the others together. @throws LostRaceError */
export async function sendBatch(
  services: LaneServices,
  input: Batch,
  transactions = transactionsFrom(services.records, input.state, input.state.minedNonce),
): Promise<BatchResult> {
  const { state, batch, isOneCall, route, waiting } = input;
  const { laneChain, signerAddress } = services;
  const kinds = batch.map(({ operation }) => operation.kind);
  const rowsToRead = isOneCall && !kinds.includes('commit') ? batch.map(({ row }) => row) : [];
  const [{ gas = 0n, failures, states, feeData }, wordGas, unsettled] = await Promise.all([
    laneChain.simulate(transactionCall(input, signerAddress), route, rowsToRead),
    kinds.includes('reveal') ? laneChain.wordGas(signerAddress) : 0n,
    transactions,
  ]);
  const fees = estimateFees(feeData, laneChain.settings);
  const gasLimit = gasLimitOf(kinds, gas, wordGas);
  const allowance =
    fees && gasAllowance({ state, pending: unsettled, feeData, fees }, laneChain.settings, services.now());
  const sendFirst = (count: number) =>
    sendBatch(services, { ...input, ...shorten(input, count) }, transactions);
  // A commit to fewer members uses the same gas.
  const canShrink = !isOneCall || !kinds.includes('commit');
  const maxGas = allowance?.gas ?? batchLimits.gas;
  if (canShrink && gasLimit > maxGas && batch.length > 1)
    return sendFirst(Math.max(1, Math.floor((batch.length * Number(maxGas)) / Number(gasLimit))));
  if (isOneCall && failures.size > 0 && batch.length > 1) {
    // The node may limit simulations, or a restored lane's commit may be on the chain. A smaller batch solves both.
    const result = await sendFirst(Math.ceil(batch.length / shrinkFactor));
    if (result.unready.length < Math.max(result.handled.length, 1)) return result;
  }
  const fails = (candidate: Candidate, position: number) =>
    failures.has(isOneCall ? 0 : position) || isSkipped(candidate, states[position]);
  const failing = batch.filter(fails);
  const unready = (await dropDiagnosed(services, failing)).map(({ operation }) => operation);
  const sendable = batch.filter((candidate) => !failing.includes(candidate));
  if (sendable.length === 0) return { state, handled: batch, unready };
  if (!fees || !allowance) return { ...(await waitForFees(services, state, waiting)), unready };
  if (gasLimit > allowance.gas) {
    services.log.error('lane cannot pay', allowance.reason, { lane: state.lane });
    // Fees are below the cap, so the wait for lower fees ends, although nothing is sent.
    const isWaiting = state.cappedSince !== undefined;
    const latest = isWaiting ? await writeState(services, state, { cappedSince: undefined }) : state;
    return { state: latest, handled: [], unready };
  }
  const spent = addSpending(state, maxCost(feeData, fees, gasLimit), services.now());
  if (isNearBudget(spent, laneChain.settings))
    services.log.warn('lane near its fee budget', { lane: state.lane, ...spent });
  const sent = { ...input, batch: sendable };
  // Checked before a nonce is assigned, because a nonce of a missing key would never be used.
  await laneSigner(services);
  const call = transactionCall(sent, signerAddress);
  const assigned = await assignNonce(services, { ...sent, call, gasLimit, feeData, spent });
  await signAndSend(services, assigned, { ...fees, signedAtBlock: feeData.blockNumber });
  return { state: assigned.state, handled: batch, unready };
}

/** Records since when fees are above the cap. Ends operations that have waited longer than `maxQueuedHours`. */
async function waitForFees(services: LaneServices, state: LaneState, waiting: readonly Candidate[]) {
  const { maxQueuedHours: hours } = services.settings;
  const now = services.now();
  services.log.warn('fee cap reached', { lane: state.lane });
  const { cappedSince } = state;
  if (cappedSince === undefined)
    return { state: await writeState(services, state, { cappedSince: now.toISOString() }), handled: [] };
  const waitStart = ({ operation }: Candidate) =>
    Math.max(Date.parse(cappedSince), Date.parse(operation.queuedAt));
  const isOverdue = (candidate: Candidate) => now.getTime() - waitStart(candidate) >= hours * 3_600_000;
  const overdue = waiting.filter((candidate) => isOverdue(candidate) && mayFail(candidate));
  const why = `gas price stayed above the cap of ${services.laneChain.settings.maxFeePerGasGwei} gwei for ${hours} h;`;
  await Promise.all(overdue.map((candidate) => refuse(services, candidate, why)));
  return { state, handled: overdue };
}

/** Whether the registry would skip the operation in a batch. The call would still disclose a reveal's content. */
function isSkipped({ operation: { kind }, row }: Candidate, state: RegistryState | undefined): boolean {
  if (!state) return false;
  const isAttested = kind === 'reveal' && state.attestationIndex > 0;
  return isAttested || state.delegateAddress !== delegateOf(row, kind);
}
