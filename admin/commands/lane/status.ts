import type { Command } from 'commander';
import { fieldList, table } from 'imprimatur-terminal/text';
import { formatEther, formatGwei } from 'viem';
import { durationText } from '../../../functions/domain/age-limits.ts';
import { type LaneStatus, readLaneStatus } from '../../../functions/domain/operator/read-lane-status.ts';
import type { Act, CommandAnswer, Deployment } from '../../deployment/command.ts';
import { chosenLane, type LaneOptions, laneCommand } from './control.ts';

export function laneStatus(group: Command, act: Act): void {
  const description = 'Show what a lane has sent, what it is to send, and what it waits for.';
  laneCommand(group, 'status', description).action(act(show));
}

async function show(deployment: Deployment, options: LaneOptions): Promise<CommandAnswer> {
  const { services, lane } = await chosenLane(deployment, options);
  const status = await readLaneStatus(services, lane);
  return { json: { ...status }, text: laneStatusText(status) };
}

/** Text for a person: first what the lane waits for, then its figures, its transactions and its queues. */
function laneStatusText(status: LaneStatus): string {
  return [fields(status), transactions(status.unsettled), queues(status.queues)]
    .filter((section) => section !== '')
    .join('\n\n');
}

function fields(status: LaneStatus): string {
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
    ['unmined transaction', unminedSeconds],
    ['queued operation', queuedSeconds],
    ['unfinished attestation', unfinishedSeconds],
  ] as const;
  const shown = ages.flatMap(([what, age]) => (age === null ? [] : `${what} ${durationText(age)}`));
  return shown.length === 0 ? null : shown.join(', ');
}

function feesText({ feeCapGwei }: LaneStatus, chain: NonNullable<LaneStatus['chain']>): string {
  return `base ${formatGwei(chain.baseFeeWei)} gwei, tip ${formatGwei(chain.tipWei)} gwei, cap ${feeCapGwei} gwei`;
}

function transactions(unsettled: LaneStatus['unsettled']): string {
  if (unsettled.length === 0) return '';
  const headings = ['NONCE', 'STATE', 'OPERATIONS', 'ATTEMPTS', 'MAX FEE (GWEI)', 'SENT', 'HASH'];
  return table(headings, unsettled.map(transactionRow));
}

function transactionRow(transaction: LaneStatus['unsettled'][number]) {
  const { nonce, state, operationCount, attemptCount, fees, sentAt, hash, cancelling } = transaction;
  const shown = cancelling ? `${state}, cancelling` : state;
  return [nonce, shown, operationCount, attemptCount, fees && formatGwei(fees.maxFeePerGas), sentAt, hash];
}

function queues(lengths: LaneStatus['queues']): string {
  if (lengths.length === 0) return '';
  const rows = lengths.map(({ delegateAddress, length, more, oldestQueuedAt }) => [
    ...[delegateAddress, more ? `${length}+` : length, oldestQueuedAt],
  ]);
  return table(['DELEGATE', 'QUEUED', 'OLDEST'], rows);
}
