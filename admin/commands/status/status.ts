import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import { table } from 'imprimatur-terminal/text';
import { formatEther, formatGwei } from 'viem';
import { durationText } from '../../../functions/domain/age-limits.ts';
import type { Usage } from '../../../functions/domain/operator/read-usage.ts';
import type { Account } from '../../account/connect-account.ts';
import type { CommandResult, ToAccountAction } from '../../deployment/command.ts';
import { attentionOf, attentionText } from './attention.ts';
import { type Part, readStatus, type Status } from './read-status.ts';

const description =
  'Show what needs attention, unfinished attestations, lanes, funds, alarms, and spending. Days and months are in UTC.';

const repeatSeconds = 10;

const help = helpText({
  notes: `The exit code is 0 even if something needs attention, and after Ctrl-C with
--watch. For exit codes in scripts, use doctor.`,
  examples: ['admin status', 'admin status --watch'],
});

export function status(program: Command, toAccountAction: ToAccountAction): void {
  program
    .command('status')
    .description(description)
    .option('--watch', `repeat every ${repeatSeconds} seconds until Ctrl-C; with --json, one object a line`)
    .addHelpText('after', help)
    .action(toAccountAction(show));
}

async function show(
  account: Account,
  _isColored: boolean,
  { watch }: { readonly watch?: true },
): Promise<CommandResult> {
  const found = await readStatus(account);
  const attention = attentionOf(found);
  return {
    json: { attention, ...found },
    text: statusText(found, attention),
    ...(watch && { repeatSeconds }),
  };
}

function statusText(found: Status, attention: readonly string[]): string {
  const { stackName, time, alarms, unfinished, chains, usage } = found;
  return [
    `${stackName} at ${time.slice(0, 19).replace('T', ' ')} UTC`,
    attentionText(attention),
    partText('Alarms', alarms, alarmText),
    partText('Unfinished', unfinished, unfinishedText),
    laneTable(chains),
    partText('Spending', usage, usageTable),
  ].join('\n\n');
}

const partText = <Value>(name: string, part: Part<Value>, format: (value: Value) => string): string =>
  'value' in part ? format(part.value) : `${name}: ${part.failed ? '' : 'not available; '}${part.missing}`;

type ValueOf<Of> = Extract<Of, { readonly value: unknown }>['value'];

function alarmText(alarms: ValueOf<Status['alarms']>): string {
  if (alarms.length === 0) return 'Alarms: none is up.';
  return table(
    ['ALARM', 'UP SINCE'],
    alarms.map(({ name, since }) => [name, since?.toISOString() ?? null]),
  );
}

function unfinishedText({ count, hasMore, byState, oldest }: ValueOf<Status['unfinished']>): string {
  if (!oldest) return 'Unfinished: no attestation.';
  const rows = byState.map((each) => [each.state, each.count, durationText(each.oldestSeconds)]);
  const { id, organizationId, state, ageSeconds } = oldest;
  return [
    table(['UNFINISHED', 'COUNT', 'OLDEST'], rows),
    `${hasMore ? '1,000 or more' : count} in all. The oldest is ${id} of ${organizationId}: ${state}, ${durationText(ageSeconds)}.`,
  ].join('\n');
}

function laneTable(chains: Status['chains']): string {
  const rows = chains.flatMap(({ chainId, name, lanes }) => {
    const chain = `${chainId} ${name}`;
    if (!('value' in lanes)) return [[chain, null, null, null, null, lanes.missing]];
    return lanes.value.map((lane) => [chain, ...laneCells(lane)]);
  });
  return table(['CHAIN', 'SIGNER', 'BALANCE', 'LASTS', 'FEES (GWEI)', 'WAITS FOR'], rows);
}

type Lane = ValueOf<Status['chains'][number]['lanes']>[number];

function laneCells({ signerAddress, chain, feeCapGwei, waitingFor }: Lane) {
  const signer = `${signerAddress.slice(0, 6)}…${signerAddress.slice(-4)}`;
  if (!chain) return [signer, null, null, null, waitingFor === 'nothing' ? 'chain unreachable' : waitingFor];
  const { balanceWei, daysLeft, feePerGasWei } = chain;
  const fees = `${short(formatGwei(feePerGasWei))} of ${feeCapGwei}`;
  return [signer, short(formatEther(balanceWei)), `${Math.floor(daysLeft)} days`, fees, waitingFor];
}

/** Shortens a decimal number to four digits. */
const short = (amount: string): string =>
  Number(amount).toLocaleString('en', { maximumSignificantDigits: 4, useGrouping: false });

/** Number of organizations that fit on the screen. */
const maxShown = 10;

function usageTable(organizations: ValueOf<Status['usage']>): string {
  const used = organizations
    .filter(({ month }) => month.accepted > 0 || Object.values(month.fees).some((wei) => wei !== 0n))
    .sort((a, b) => b.month.accepted - a.month.accepted);
  if (used.length === 0) return 'Spending: none this month.';
  const rows = used
    .slice(0, maxShown)
    .map(({ name, today, month }) => [
      ...[name, today.accepted, month.accepted, feesText(today), feesText(month)],
    ]);
  const more = used.length - rows.length;
  const headings = ['ORGANIZATION', 'ACCEPTED TODAY', 'THIS MONTH', 'FEES TODAY', 'THIS MONTH'];
  return table(headings, rows) + (more > 0 ? `\nand ${more} more; --json lists all` : '');
}

function feesText({ fees }: Usage): string | null {
  const paid = Object.entries(fees).filter(([, wei]) => wei !== 0n);
  return paid.map(([chainId, wei]) => `${short(formatEther(wei))} on ${chainId}`).join(', ') || null;
}
