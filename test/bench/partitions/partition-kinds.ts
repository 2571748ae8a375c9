import { addUnits, type Units } from '../hops/consumed-units.ts';
import type { BenchLane } from '../lanes/bench-lane.ts';
import type { Partition, PartitionUse } from './request-units.ts';

/**
 * Kinds of partition, by what the key stands for: the attestations of one organisation, one content, the lane (its
 * state, its transactions and their payloads), its queue, an organisation's last round in a queue, the list of a chain's signers, the index that the sweep
 * reads, and one organisation in the index that counts attestations in flight.
 */
export const partitionKinds = [
  'organisation',
  'content',
  'lane',
  'queue',
  'round',
  'signers',
  'sweep index',
  'in-flight index',
] as const;

export type PartitionKind = (typeof partitionKinds)[number];

export type UnitsByKind = Readonly<Record<PartitionKind, Units>>;

/** Owner of the partitions. */
type Owner = Pick<BenchLane, 'lane' | 'publishers'>;

function kindOf({ lane, publishers }: Owner, { table, pk }: Partition): PartitionKind {
  if (table === 'due') return 'sweep index';
  if (table === 'inFlight') return 'in-flight index';
  if (table === 'attestations') {
    return publishers.some(({ organizationId }) => organizationId === pk) ? 'organisation' : 'content';
  }
  if (table === 'queue') return pk.endsWith('#queue') ? 'queue' : 'round';
  return pk === lane ? 'lane' : 'signers';
}

/** Divides the use by the number of attestations, by kind of partition. */
export function unitsByKind(owner: Owner, uses: readonly PartitionUse[], attestations = 1): UnitsByKind {
  const entries = partitionKinds.map((kind) => {
    const { read, write } = addUnits(
      uses.filter((use) => kindOf(owner, use) === kind).map(({ units }) => units),
    );
    return [kind, { read: read / attestations, write: write / attestations }] as const;
  });
  return Object.fromEntries(entries) as UnitsByKind;
}
