import { takeLease } from '../lease.ts';
import type { Key } from '../records.ts';
import type { LaneServices } from './lane-services.ts';

/** Milliseconds after which the lease of a crashed sender expires. Longer than sending one transaction takes. */
const leaseMilliseconds = 10_000;

export type SenderLease = ReturnType<typeof senderLease>;

/** Creates the lease of a lane's sender. It only avoids duplicate simulations: two concurrent senders are safe. */
export function senderLease(services: LaneServices) {
  const { records, lane } = services;
  const key: Key = { table: 'lanes', pk: lane, sk: 'SENDER' };
  let taking: Promise<string | undefined> | undefined;
  return {
    /** Takes the lease once. @returns false while another function has it */
    take: async () => {
      taking ??= takeLease(services, key, leaseMilliseconds);
      return (await taking) !== undefined;
    },
    /** Gives the lease back before it expires. @returns whether another function had it instead */
    release: async () => {
      const until = await taking;
      if (until !== undefined) await records.update({ key, remove: true, expect: { until } });
      return taking !== undefined && until === undefined;
    },
  };
}
