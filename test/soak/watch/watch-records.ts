import type { Change } from '../../../functions/domain/records.ts';
import type { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { LaneWatch } from './lane-watch.ts';
import { rowViolations } from './row-watch.ts';

/**
 * Checks at every write what must hold at every moment, and reports violations.
 *
 * @param undidFinal whether the chain ever undid a final block: then what was final may be so no more
 */
export function watchRecords(
  records: MemoryRecords,
  undidFinal: () => boolean,
  tell: (violation: string) => void,
): void {
  const lanes = new LaneWatch(records, undidFinal);
  const { transact, update } = records;
  const look = <Answer>(changes: readonly Change[], write: () => Answer): Answer => {
    const before = changes.map(({ key }) => records.peek(key));
    // Its effect is there at once; only its answer comes later.
    const answer = write();
    const written = changes.map(({ key }, position) => ({
      ...{ key, before: before[position], after: records.peek(key) },
    }));
    for (const violation of [
      ...written.flatMap((one) => rowViolations(one, undidFinal())),
      ...lanes.violations(written),
    ])
      tell(violation);
    return answer;
  };
  records.transact = (changes) => look(changes, () => transact.call(records, changes));
  records.update = (change) => look([change], () => update.call(records, change));
}
