import { quantiles } from '../../../local/on-chain/quantiles.ts';
import { withinLimit } from '../report/present-table.ts';
import type { Cell, Table } from '../report/section.ts';
import { median } from '../report/statistics.ts';
import type { TickTime } from './drive-lane.ts';
import type { DepthUse } from './measure-depth.ts';
import type { Fairness } from './measure-fairness.ts';
import { maxInFlight, type Throughput } from './measure-throughput.ts';
import { parts } from './part-clock.ts';

/**
 * The least share of its ceiling that a lane must reach, and the most blocks that 95 % of operations may wait beyond
 * it.
 */
const leastShare = 0.85;
const mostExtraBlocks = 2;

/**
 * The most transactions up to and with that of an operation queued behind thousands of another organisation: those that a
 * tick has read operations for already, and two.
 */
const mostTransactions = maxInFlight + 2;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const rounded = (value: number): number => Math.round(value * 10) / 10;

function paceRow({ name, operations, ceiling, attestationsPerSecond, pace }: Throughput): Cell[] {
  const { shareOfCeiling, extraBlocks, transactionsPerBlock, operationsPerBlock } = pace;
  return [
    ...[name, operations, pace.blocks, rounded(transactionsPerBlock), rounded(operationsPerBlock), ceiling],
    ...[percent(shareOfCeiling), withinLimit(leastShare, shareOfCeiling)],
    rounded(attestationsPerSecond),
    ...[extraBlocks.p50, extraBlocks.p95, withinLimit(extraBlocks.p95, mostExtraBlocks)],
  ];
}

const restOf = (tick: TickTime): number => Math.max(0, tick.totalMs - tick.store - tick.chain - tick.signer);

/** The part that the lane's ticks wait for most, unless the lane was always full. */
function limitOf({ pace }: Throughput, medians: ReadonlyMap<string, number>): string {
  if (pace.shareOfCeiling > 0.99) return 'the ceiling';
  const [longest] = [...medians].sort(([, one], [, other]) => other - one);
  return longest?.[0] ?? '';
}

/** Medians over the ticks that bound: the others only look. */
function tickRow(run: Throughput): Cell[] {
  const { name, ticks, pace } = run;
  const binding = ticks.filter(({ bound }) => bound > 0);
  const { p50 = 0, p95 = 0 } = quantiles(binding.map(({ totalMs }) => totalMs)) ?? {};
  const medians = new Map<string, number>([
    ...parts.map((part): [string, number] => [part, median(binding.map((tick) => tick[part]))]),
    ['own computing', median(binding.map(restOf))],
  ]);
  const idle = ticks.filter(({ bound, settled }) => bound === 0 && settled === 0);
  return [
    ...[name, binding.length, idle.length, Math.round(p50), Math.round(p95)],
    ...[...medians.values()].map(Math.round),
    ...[Math.round(pace.gasPerBlock), Math.round(pace.gasPerOperation), limitOf(run, medians)],
  ];
}

function throughputTables(runs: readonly Throughput[]): Table[] {
  return [
    {
      title: 'A lane with all of its operations queued at once, over the middle 80 % of its blocks',
      columns: [
        ...[
          'run',
          'operations',
          'blocks',
          'transactions a block',
          'operations a block',
          'ceiling',
          'reached',
        ],
        ...[
          `≥ ${leastShare * 100} %`,
          'attestations a second',
          'blocks waited beyond its place: p50',
          'p95',
          `≤ ${mostExtraBlocks}`,
        ],
      ],
      rows: runs.map(paceRow),
    },
    {
      title: 'What the ticks of these lanes take, medians in ms, and what limits the lane',
      columns: [
        ...['run', 'ticks that bind', 'that find nothing new', 'p50', 'p95', ...parts, 'own computing'],
        ...['gas a block', 'gas an operation', 'limit'],
      ],
      rows: runs.map(tickRow),
    },
  ];
}

function depthTable(uses: readonly DepthUse[]): Table {
  const each = (value: number, { operations }: DepthUse) => Math.round((value / operations) * 1000) / 1000;
  return {
    title: 'What a tick asks of the store that settles a full transaction and binds the next',
    columns: [
      ...['organisations', 'queued', 'round trips', 'items read', 'items written'],
      ...['round trips an operation', 'items read an operation', 'items written an operation'],
    ],
    rows: uses.map((use) => [
      ...[use.publishers, use.depth, use.calls, use.itemsRead, use.itemsWritten],
      ...[each(use.calls, use), each(use.itemsRead, use), each(use.itemsWritten, use)],
    ]),
  };
}

function fairnessTable({ crowdSize, transactions }: Fairness): Table {
  const worst = Math.max(...transactions);
  const row = [transactions.length, median(transactions), worst, withinLimit(worst, mostTransactions)];
  return {
    title: `Operations queued behind ${crowdSize.toLocaleString('en')} of another organisation: transactions up to their own`,
    columns: ['operations', 'median', 'worst', `≤ ${mostTransactions}`],
    rows: [row],
  };
}

export function laneTables(
  runs: readonly Throughput[],
  uses: readonly DepthUse[],
  fairness: Fairness,
): Table[] {
  return [...throughputTables(runs), depthTable(uses), fairnessTable(fairness)];
}
