import { alice } from '../../fakes/world/world.ts';
import { type Bench, type Cell, type Table, tenths } from '../report.ts';
import type { PartitionUse, Units } from './request-units.ts';
import { type Load, runAttestations } from './run-attestations.ts';

/** As on real chains, a phase ends before 12 blocks, so commits become final after their reveals are queued. */
const plans: readonly [name: string, load: Omit<Load, 'confirmations'>][] = [
  ['forwarder, 48 a transaction', { forwarder: true, operations: 48, ticks: 4 }],
  ['forwarder, 8 a transaction', { forwarder: true, operations: 8, ticks: 8 }],
  ['key, 48 a transaction', { forwarder: false, operations: 48, ticks: 4 }],
  ['key, single operation', { forwarder: false, operations: 1, ticks: 8 }],
];

/** With 1, mined and final are one settlement; with more, they are two. */
const confirmationCounts = [1, 12];

/**
 * Kinds of partition: the attestations of one organization, one content, the lane with its transactions, its queue, an
 * organization's last round in a queue, the list of a chain's signers, and the two indexes.
 */
const kinds = [
  ...['organization', 'content', 'lane', 'queue', 'round', 'signers'],
  ...['sweep index', 'in-flight index'],
];

/** Partitions that every attestation of a lane uses; each content is a partition of its own. */
const shared = ['lane', 'queue', 'signers', 'sweep index'];

/** DynamoDB's limits of one partition per second. */
const maxPerSecond: Units = { write: 1_000, read: 3_000 };

function kindOf({ table, pk }: Pick<PartitionUse, 'table' | 'pk'>, lane: string): string {
  if (table === 'due') return 'sweep index';
  if (table === 'inFlight') return 'in-flight index';
  if (table === 'attestations') return pk === alice.organizationId ? 'organization' : 'content';
  if (table === 'queue') return pk.endsWith('#queue') ? 'queue' : 'round';
  return pk === lane ? 'lane' : 'signers';
}

interface Asked {
  readonly name: string;
  readonly confirmations: number;
  readonly units: ReadonlyMap<string, Units>;
}

async function askedBy(name: string, load: Load): Promise<Asked> {
  const { lane, uses } = await runAttestations(load);
  const attestations = load.operations * load.ticks;
  const byKind = Map.groupBy(uses, (use) => kindOf(use, lane));
  const unitsOf = (kind: string): Units => {
    const charged = (byKind.get(kind) ?? []).map(({ units }) => units);
    const sum = (of: keyof Units) => charged.reduce((total, units) => total + units[of], 0);
    return { write: sum('write') / attestations, read: sum('read') / attestations };
  };
  const units = new Map(kinds.map((kind) => [kind, unitsOf(kind)]));
  return { name, confirmations: load.confirmations, units };
}

const unitsCell = (write: number, read: number): string => `${tenths(write)} (${tenths(read)})`;

function unitsRow({ name, confirmations, units }: Asked): Cell[] {
  const all = [...units.values()];
  const sum = (of: keyof Units) => all.reduce((total, one) => total + one[of], 0);
  const cells = all.map(({ write, read }) => unitsCell(write, read));
  return [name, confirmations, ...cells, unitsCell(sum('write'), sum('read'))];
}

/** Attestations a second until writes or reads fill the partition; infinite if it has neither. */
function allowed({ write, read }: Units): number {
  return Math.min(maxPerSecond.write / write, maxPerSecond.read / read);
}

const rateCell = (rate: number): Cell => (Number.isFinite(rate) ? Math.floor(rate) : 'any');

function allowedRow({ name, confirmations, units }: Asked): Cell[] {
  const rateOf = (kind: string) => allowed(units.get(kind) ?? { write: 0, read: 0 });
  const [limit = ''] = shared.toSorted((one, other) => rateOf(one) - rateOf(other));
  const rates = shared.map((kind) => rateCell(rateOf(kind)));
  return [name, confirmations, ...rates, limit, rateCell(rateOf('organization'))];
}

/** Counts DynamoDB's units for attestations, and computes the throughput of its partitions. */
export async function measurePartitions({ log }: Bench): Promise<Table[]> {
  const asked: Asked[] = [];
  for (const [name, load] of plans) {
    for (const confirmations of confirmationCounts) {
      log(`request units: ${name}, confirmations: ${confirmations}`);
      asked.push(await askedBy(name, { ...load, confirmations }));
    }
  }
  return [
    {
      title: "What the lane asks of DynamoDB's partitions: write (and read) units of one attestation",
      columns: ['run', 'confirmations', ...kinds, 'all'],
      rows: asked.map(unitsRow),
    },
    {
      title: 'Attestations a second that one partition of each kind allows on AWS',
      columns: ['run', 'confirmations', ...shared, 'limit', 'one organization'],
      rows: asked.map(allowedRow),
    },
  ];
}
