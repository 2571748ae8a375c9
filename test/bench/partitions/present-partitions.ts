import { addUnits, type Units } from '../hops/consumed-units.ts';
import type { Cell, Table } from '../report/section.ts';
import type { PartitionsAsked } from './measure-partitions.ts';
import { type PartitionKind, partitionKinds, type UnitsByKind } from './partition-kinds.ts';

/** DynamoDB's limits of one partition per second. */
const mostPerSecond: Units = { write: 1_000, read: 3_000 };

/** Partitions that every attestation of a lane uses; each content is a partition of its own. */
const shared = ['lane', 'queue', 'signers', 'sweep index'] as const satisfies readonly PartitionKind[];

const rounded = (value: number): number => Math.round(value * 10) / 10;

const unitsCell = ({ write, read }: Units): string => `${rounded(write)} (${rounded(read)})`;

/** Units by kind of partition, and their sum. */
function unitCells(units: UnitsByKind): Cell[] {
  const each = partitionKinds.map((kind) => units[kind]);
  return [...each, addUnits(each)].map(unitsCell);
}

/** Attestations per second until writes or reads fill the partition; infinite if it has neither. */
function allowed({ write, read }: Units): number {
  return Math.min(mostPerSecond.write / write, mostPerSecond.read / read);
}

function allowedRow(asked: PartitionsAsked): Cell[] {
  const rates = shared.map((kind) => ({ kind, rate: allowed(asked.life[kind]) }));
  const [limit] = [...rates].sort((one, other) => one.rate - other.rate);
  return [
    ...[asked.name, asked.confirmations, ...rates.map(({ rate }) => rateCell(rate))],
    ...[limit?.kind ?? '', rateCell(allowed(asked.life.organisation))],
  ];
}

function rateCell(rate: number): Cell {
  return Number.isFinite(rate) ? Math.floor(rate) : 'any';
}

function tickRow({ name, operations, commitTick, revealTick }: PartitionsAsked): Cell[][] {
  return [
    [name, operations, 'commits', ...unitCells(commitTick)],
    [name, operations, 'reveals', ...unitCells(revealTick)],
  ];
}

/**
 * Makes the tables of the units that lives and ticks use of DynamoDB's partitions, and of the pace that these allow.
 */
export function partitionTables(asked: readonly PartitionsAsked[]): Table[] {
  return [
    {
      title: "What the lane asks of DynamoDB's partitions: write (and read) units of one attestation",
      columns: ['run', 'confirmations', ...partitionKinds, 'all'],
      rows: asked.map(({ name, confirmations, life }) => [name, confirmations, ...unitCells(life)]),
    },
    {
      title: 'Attestations a second that one partition of each kind allows on AWS',
      columns: ['run', 'confirmations', ...shared, 'limit', 'one organisation'],
      rows: asked.map(allowedRow),
    },
    {
      title:
        'Write (and read) units of a tick that settles what a block has and binds the next, one confirmation',
      columns: ['run', 'operations', 'of', ...partitionKinds, 'all'],
      rows: asked.filter(({ confirmations }) => confirmations === 1).flatMap(tickRow),
    },
  ];
}
