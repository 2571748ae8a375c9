import { takeLease } from '../lease.ts';
import type { Key } from '../records.ts';
import type { LaneServices } from './lane-services.ts';

/** Time after which the lease of a sender that died is free: longer than sending one transaction takes. */
const leaseMilliseconds = 10_000;

/** Lease of a lane's one sender. It only saves simulating the same twice: two senders at once do no harm. */
export interface SenderLease {
  /** Takes the lease, once; false while another function has it. */
  take(): Promise<boolean>;
  /** Gives the lease back; one that is not given back runs out. @returns whether it was refused */
  release(): Promise<boolean>;
}

export function senderLease(services: LaneServices): SenderLease {
  const { records, lane } = services;
  const key: Key = { table: 'lanes', pk: lane, sk: 'SENDER' };
  let taking: Promise<string | undefined> | undefined;
  return {
    take: async () => {
      taking ??= takeLease(services, key, leaseMilliseconds);
      return (await taking) !== undefined;
    },
    release: async () => {
      const until = await taking;
      if (until !== undefined) await records.update({ key, remove: true, expect: { until } });
      return taking !== undefined && until === undefined;
    },
  };
}
