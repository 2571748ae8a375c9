import { takeLease } from '../lease.ts';
import type { Key } from '../records.ts';
import type { LaneServices } from './lane-services.ts';

/** Time after which the lease of a sender that died is free: longer than sending one transaction takes. */
const leaseMilliseconds = 10_000;

export type SenderLease = ReturnType<typeof senderLease>;

/** Lease of a lane's one sender. It only saves simulating the same twice: two senders at once do no harm. */
export function senderLease(services: LaneServices) {
  const { records, lane } = services;
  const key: Key = { table: 'lanes', pk: lane, sk: 'SENDER' };
  let taking: Promise<string | undefined> | undefined;
  return {
    /** Takes the lease, once; false while another function has it. */
    take: async () => {
      taking ??= takeLease(services, key, leaseMilliseconds);
      return (await taking) !== undefined;
    },
    /** Gives the lease back; one that is not given back runs out. @returns whether it was refused */
    release: async () => {
      const until = await taking;
      if (until !== undefined) await records.update({ key, remove: true, expect: { until } });
      return taking !== undefined && until === undefined;
    },
  };
}
