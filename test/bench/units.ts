import type { Change, Fields, Key } from '../../functions/domain/records.ts';
import { checkout } from '../../local/checkout.ts';
import { readArticle } from '../../local/stack/read-article.ts';
import type { MemoryRecords } from '../fakes/memory-records/memory-records.ts';
import { sizeOf } from '../fakes/memory-records/stored-fields.ts';
import { FaultPlan } from '../fakes/ports/faults.ts';
import { runService } from '../fakes/world/running-service.ts';
import { alice } from '../fakes/world/world.ts';
import { type Bench, type Cell, type Table, tenths } from './report.ts';

/** Attestations that are posted at once, and the number of rounds. A round starts when the previous one is confirmed. */
const plans = [
  { name: 'forwarder, 48 a transaction', forwarder: true, atOnce: 960, times: 1 },
  { name: 'key, single operation', forwarder: false, atOnce: 1, times: 8 },
];

/** With 1, mined and final are one settlement; with more, they are two. */
const confirmationCounts = [1, 12];

/** Partition keys and sort keys of the attestations' indexes. */
const indexes = { 'sweep index': ['sweep', 'checkAt'], 'in-flight index': ['inFlight'] } as const;

/** Kinds of partition. Each content is a partition, and each organization has a round in each queue. */
const kinds = ['organization', 'usage', 'content', 'lane', 'queue', 'round', ...Object.keys(indexes)];

function kindOf({ table, pk }: Key): string {
  if (table === 'lanes') return 'lane';
  if (table === 'queue') return pk.endsWith('#queue') ? 'queue' : 'round';
  if (pk === alice.organizationId) return 'organization';
  return pk.endsWith('#usage') ? 'usage' : 'content';
}

/** A record before and after a write; the same if a condition refused it. */
interface Written {
  readonly key: Key;
  readonly before: Fields | undefined;
  readonly after: Fields | undefined;
}

/** DynamoDB charges a unit for each 1,024 bytes, keys included. */
const unitsOf = ({ pk, sk }: Key, fields: Fields = {}): number =>
  Math.ceil(sizeOf({ ...fields, pk, sk }) / 1_024);

/**
 * Charges the larger of before and after. @param factor 2 in a transaction, which writes tables twice, but indexes once
 */
function chargesOf({ key, before, after }: Written, factor: 1 | 2): [kind: string, units: number][] {
  const units = factor * Math.max(unitsOf(key, before), unitsOf(key, after));
  const ofIndexes = Object.entries(indexes).flatMap(([index, names]) => {
    const entryOf = (fields: Fields = {}) => JSON.stringify(names.map((name) => fields[name]));
    const isIn = (fields: Fields = {}) => names.every((name) => fields[name] !== undefined);
    if (entryOf(before) === entryOf(after)) return [];
    // An index deletes an entry whose key changes, and puts another.
    return [before, after].filter(isIn).map((): [string, number] => [index, 1]);
  });
  return [[kindOf(key), units], ...ofIndexes];
}

/** Counts the write units of each kind of partition from now on. */
export function meterWrites(records: MemoryRecords): ReadonlyMap<string, number> {
  const charged = new Map<string, number>();
  const { transact, update } = records;
  const meter = <Answer>(changes: readonly Change[], factor: 1 | 2, write: () => Answer): Answer => {
    const before = changes.map(({ key }) => records.peek(key));
    // The store in memory writes synchronously.
    const answer = write();
    for (const [position, { key }] of changes.entries())
      for (const [kind, units] of chargesOf(
        { key, before: before[position], after: records.peek(key) },
        factor,
      ))
        charged.set(kind, (charged.get(kind) ?? 0) + units);
    return answer;
  };
  records.transact = (changes) => meter(changes, 2, () => transact.call(records, changes));
  records.update = (change) => meter([change], 1, () => update.call(records, change));
  return charged;
}

const article = readArticle(`${checkout}/local/articles/lincoln-addresses.txt`);

async function measure({ name, forwarder, atOnce, times }: (typeof plans)[number], confirmations: number) {
  const given = { forwarder, confirmations, batches: true, blockTimeSeconds: 2, maxInFlight: 4 };
  const service = runService(new FaultPlan(), given);
  const charged = meterWrites(service.world.records);
  for (let time = 0; time < times; time++) {
    for (let one = 0; one < atOnce; one++) await service.post(alice, `${article}\n${time} ${one}`);
    await service.finishAndCheck();
  }
  const units = kinds.map((kind) => charged.get(kind) ?? 0);
  const all = units.reduce((sum, one) => sum + one, 0);
  const each = [...units, all, service.machines.transitions].map((sum) => tenths(sum / (atOnce * times)));
  return [name, confirmations, ...each];
}

/**
 * Counts write units of DynamoDB and state transitions of Step Functions. Reads cost a tenth and are never a partition's first limit. A
 * partition takes 1,000 write units a second. A test limits the transitions of a single attestation to 25.
 */
export async function measureUnits({ log }: Bench): Promise<Table[]> {
  const rows: Cell[][] = [];
  for (const plan of plans) {
    for (const confirmations of confirmationCounts) {
      log(`units: ${plan.name}, confirmations: ${confirmations}`);
      rows.push(await measure(plan, confirmations));
    }
  }
  return [
    {
      title: 'One attestation: write units in each kind of partition, and state transitions',
      columns: ['run', 'confirmations', ...kinds, 'all', 'transitions'],
      rows,
    },
  ];
}
