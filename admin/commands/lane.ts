import type { Command } from 'commander';
import { fieldList, table } from 'imprimatur-terminal/text';
import { type Address, formatEther, formatGwei } from 'viem';
import { durationText } from '../../functions/domain/age-limits.ts';
import { type LaneState, laneName, parseLane } from '../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../functions/domain/lane/lane-records.ts';
import { chainSigners, laneOf } from '../../functions/domain/lane/signers.ts';
import { cancelTransaction } from '../../functions/domain/operator/cancel-transaction.ts';
import { pauseLane, resumeLane, resyncLane } from '../../functions/domain/operator/lane-control.ts';
import { type LaneStatus, readLaneStatus } from '../../functions/domain/operator/read-lane-status.ts';
import type { Services } from '../../functions/domain/services.ts';
import type { ChainSettings } from '../../functions/domain/settings.ts';
import { chainOption, parseAddress, parseNonce, parseReason } from '../deployment/arguments.ts';
import type { CommandResult, Deployment, ToAction } from '../deployment/command.ts';
import { delegateAddresses, servedChain } from '../deployment/served-chain.ts';
import { CommandFailedError, UsageInvalidError } from '../terminal/errors.ts';

export function laneCommands(group: Command, toAction: ToAction): void {
  const description = "Show a lane's transactions and queues, and what it is waiting for.";
  laneCommand(group, 'status', description).action(toAction(show));
  laneCommand(group, 'pause', 'Stop sending. The lane still settles the transactions that it has sent.')
    .option('--reason <text>', 'reason that lane status and the log show', parseReason)
    .action(toAction(pause));
  laneCommand(group, 'resume', 'Resume a paused lane.').action(toAction(resume));
  laneCommand(group, 'cancel', 'Replace a pending transaction with an empty transfer.')
    .option('--nonce <n>', 'nonce of the transaction (default: the lowest pending one)', parseNonce)
    .action(toAction(cancel));
  laneCommand(group, 'resync', resyncDescription).action(toAction(resync));
}

async function show(deployment: Deployment, options: LaneOptions): Promise<CommandResult> {
  const { services, lane } = await findLane(deployment, options);
  const status = await readLaneStatus(services, lane);
  return { json: { ...status }, text: laneStatusText(status) };
}

function laneStatusText(status: LaneStatus): string {
  return [statusFields(status), transactionTable(status.unsettled), queueTable(status.queues)]
    .filter((section) => section !== '')
    .join('\n\n');
}

function statusFields(status: LaneStatus): string {
  const { chain, nonces, lastReceipt, spentTodayWei, dailyFeeBudget } = status;
  return fieldList({
    'waiting for': status.waitingFor,
    lane: status.lane,
    signer: `${status.signerAddress} (${status.signerState})`,
    paused: status.paused,
    retired: status.retired,
    nonces: nonces && `next ${nonces.next}, mined below ${nonces.mined}, final below ${nonces.final}`,
    'on the chain':
      chain &&
      `${chain.transactionCount} transactions at block ${chain.headNumber}, ${durationText(chain.headAgeSeconds)} old`,
    oldest: oldestText(status.oldest),
    balance: chain && formatEther(chain.balanceWei),
    fees: chain && feesText(status, chain),
    'spent today': `${formatEther(spentTodayWei)}${dailyFeeBudget === null ? '' : ` of ${dailyFeeBudget}`}`,
    'last mined': lastReceipt && `${lastReceipt.hash} in block ${lastReceipt.blockNumber}`,
  });
}

function oldestText({
  unminedSeconds,
  queuedSeconds,
  unfinishedSeconds,
}: LaneStatus['oldest']): string | null {
  const ages = [
    ['pending transaction', unminedSeconds],
    ['queued operation', queuedSeconds],
    ['unfinished attestation', unfinishedSeconds],
  ] as const;
  const shown = ages.flatMap(([name, age]) => (age === null ? [] : `${name} ${durationText(age)}`));
  return shown.length === 0 ? null : shown.join(', ');
}

function feesText({ feeCapGwei }: LaneStatus, chain: NonNullable<LaneStatus['chain']>): string {
  return `base ${formatGwei(chain.baseFeeWei)} gwei, tip ${formatGwei(chain.tipWei)} gwei, cap ${feeCapGwei} gwei`;
}

function transactionTable(unsettled: LaneStatus['unsettled']): string {
  if (unsettled.length === 0) return '';
  const headings = ['NONCE', 'STATE', 'OPERATIONS', 'ATTEMPTS', 'MAX FEE (GWEI)', 'SENT', 'HASH'];
  return table(headings, unsettled.map(transactionRow));
}

function transactionRow(transaction: LaneStatus['unsettled'][number]) {
  const { nonce, state, operationCount, attemptCount, fees, sentAt, hash, canceling } = transaction;
  const shown = canceling ? `${state}, canceling` : state;
  return [nonce, shown, operationCount, attemptCount, fees && formatGwei(fees.maxFeePerGas), sentAt, hash];
}

function queueTable(lengths: LaneStatus['queues']): string {
  if (lengths.length === 0) return '';
  const rows = lengths.map(({ delegateAddress, length, more, oldestQueuedAt }) => [
    ...[delegateAddress, more ? `${length}+` : length, oldestQueuedAt],
  ]);
  return table(['DELEGATE', 'QUEUED', 'OLDEST'], rows);
}

const resyncDescription =
  "Skip the key's transactions that the lane does not know, and resume. First find out why they exist: " +
  'someone else sent them, or the table was restored from a backup.';

function laneResult(state: LaneState, sentence: string): CommandResult {
  const { lane, paused = null, retired = null } = state;
  const nonces = { next: state.nextNonce, mined: state.minedNonce, final: state.finalNonce };
  return { json: { lane, paused, retired, nonces }, text: `Lane ${lane} ${sentence}` };
}

async function cancel(
  deployment: Deployment,
  options: LaneOptions & { readonly nonce?: number },
): Promise<CommandResult> {
  const { services, lane } = await findLane(deployment, options);
  const { nonce } = await cancelTransaction(services, lane, options.nonce);
  const text =
    `Canceling transaction ${nonce} of lane ${lane}. The transaction or its cancellation will be mined. Operations that ` +
    'this leaves unfinished are queued again. To follow it, run lane status.';
  return { json: { lane, nonce, canceling: true }, text };
}

async function pause(
  deployment: Deployment,
  options: LaneOptions & { readonly reason?: string },
): Promise<CommandResult> {
  const { services, lane } = await findLane(deployment, options);
  const state = await pauseLane(services, lane, options.reason);
  return laneResult(state, `is paused: ${state.paused}`);
}

async function resume(deployment: Deployment, options: LaneOptions): Promise<CommandResult> {
  const { services, lane } = await findLane(deployment, options);
  const state = await resumeLane(services, lane);
  const retired =
    state.retired && `, but its signer is ${state.retired} and sends nothing through a forwarder`;
  return laneResult(state, `is not paused${retired ?? ''}.`);
}

async function resync(deployment: Deployment, options: LaneOptions): Promise<CommandResult> {
  const { services, lane } = await findLane(deployment, options);
  const { heldBy = [], ...state } = await resyncLane(services, lane);
  const held =
    heldBy.length > 0
      ? ` Operations that a restore removed from the queues were not queued again, because pending transactions of ` +
        `${heldBy.join(', ')} may hold them. Run lane resync again when those transactions are final.`
      : '';
  const { json, text } = laneResult(state, `resumes with nonce ${state.nextNonce}.${held}`);
  return { json: { ...json, heldBy }, text };
}

interface LaneOptions {
  readonly chain: number;
  readonly signer?: Address;
}

function laneCommand(group: Command, name: string, description: string): Command {
  return group
    .command(name)
    .description(description)
    .requiredOption(...chainOption)
    .option('--signer <address>', 'signer of the lane (default: the active one)', parseAddress);
}

/** Finds the deployment's services and the lane that the options name. @throws CommandFailedError, UsageInvalidError */
async function findLane(
  deployment: Deployment,
  { chain, signer }: LaneOptions,
): Promise<{ services: Services; lane: string }> {
  const settings = await servedChain(deployment, chain);
  const services = await deployment.services();
  if (signer === undefined)
    return { services, lane: await onlyLane(services, settings, await deployment.signerAddress()) };
  await requireKnownSigner(services, chain, signer);
  return { services, lane: laneName(chain, signer) };
}

/** After a rotation, both the stack's own key and the forwarders' signer may have an active lane. */
async function onlyLane(services: Services, settings: ChainSettings, ownAddress: Address): Promise<string> {
  const { chainId } = settings;
  const lanes = delegateAddresses(settings, ownAddress).map((delegateAddress) =>
    laneOf(services, { chainId, delegateAddress }),
  );
  const [lane = '', ...others] = new Set(await Promise.all(lanes));
  if (others.length === 0) return lane;
  const signers = [lane, ...others].map((name) => parseLane(name).signerAddress);
  throw new UsageInvalidError(
    `several lanes send on chain ${chainId}; pass the signer of one with --signer: ${signers.join(', ')}`,
  );
}

/** Without this check, a mistyped address would create a lane without a key. @throws CommandFailedError */
async function requireKnownSigner(services: Services, chainId: number, signer: Address): Promise<void> {
  const signers = await chainSigners(services, chainId);
  if (signers.some(({ address }) => address === signer)) return;
  if (await findLaneState(services.records, laneName(chainId, signer))) return;
  throw new CommandFailedError(
    `chain ${chainId} has no signer ${signer}; run \`signer list --chain ${chainId}\` to see the signers`,
  );
}
