import type { Change, Fields } from '../../../functions/domain/records.ts';
import type { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { LaneInvariants, type Written } from './lane-invariants.ts';

/**
 * Checks the invariants at every write, and reports violations.
 * @param undidFinal whether the chain ever undid a final block, after which final records may change
 */
export function checkInvariants(
  records: MemoryRecords,
  undidFinal: () => boolean,
  report: (violation: string) => void,
): void {
  const lanes = new LaneInvariants(records, undidFinal);
  const { transact, update } = records;
  const checkWrite = <Answer>(changes: readonly Change[], write: () => Answer): Answer => {
    const before = changes.map(({ key }) => records.peek(key));
    // The store in memory writes synchronously. Only the answer comes later.
    const answer = write();
    const written = changes.map(({ key }, position) => ({
      ...{ key, before: before[position], after: records.peek(key) },
    }));
    for (const violation of [
      ...written.flatMap((one) => rowViolations(one, undidFinal())),
      ...lanes.violations(written),
    ])
      report(violation);
    return answer;
  };
  records.transact = (changes) => checkWrite(changes, () => transact.call(records, changes));
  records.update = (change) => checkWrite([change], () => update.call(records, change));
}

/** Fields that never change after acceptance. */
const constantFields = [
  'digest',
  'salt',
  'authorityAddress',
  'registryAddress',
  'delegateAddress',
  'createdAt',
];

/** Phases that no transaction changes any more, unless a final block is undone. */
const endPhases = ['final', 'unneeded', 'refused'];

const allowedStatuses: Readonly<Record<string, readonly unknown[]>> = {
  pending: ['pending', 'committed', 'confirmed', 'failed'],
  committed: ['committed', 'confirmed', 'failed'],
  confirmed: ['confirmed'],
  failed: ['failed'],
};

/** Finds the violations in a write to an attestation. */
function rowViolations({ key, before, after }: Written, undidFinal: boolean): string[] {
  if (before?.contentCid === undefined) return [];
  if (!after) return [`attestation ${key.sk} is gone`];
  const wrong = [
    ...(allowedStatuses[String(before.status)]?.includes(after.status) ? [] : ['status']),
    ...constantFields.filter((name) => before[name] !== after[name]),
    ...(before.attestationIndex === undefined || undidFinal
      ? []
      : changed(['attestationIndex', 'confirmedAt'], before, after)),
    ...(after.status === 'failed' && !after.error ? ['error'] : []),
    ...['commitPhase', 'revealPhase', 'linkPhase'].filter((name) => before[name] && !after[name]),
    ...['commitPhase', 'revealPhase'].filter(
      (name) => !undidFinal && endPhases.includes(String(before[name])) && before[name] !== after[name],
    ),
  ];
  return wrong.map((name) => `${name} of attestation ${key.sk}: ${before[name]} became ${after[name]}`);
}

function changed(names: readonly string[], before: Fields, after: Fields): string[] {
  return names.filter((name) => before[name] !== after[name]);
}
