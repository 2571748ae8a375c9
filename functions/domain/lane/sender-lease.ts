import * as z from 'zod';
import type { Key } from '../records.ts';
import { parseRecord, recordForm } from '../stored-record.ts';
import type { LaneServices } from './lane-services.ts';

/** Time after which the lease of a sender that died is free: longer than sending one transaction takes. */
const leaseSeconds = 10;

/**
 * Lease of a lane's one sender. It only saves work, that of simulating what another function sends at the same moment:
 * two senders at once do no harm.
 */
export interface SenderLease {
  /** Takes the lease, once; false while another function has it. */
  take(): Promise<boolean>;
  /** Gives the lease back; one that is not given back runs out. @returns whether it was refused */
  release(): Promise<boolean>;
}

const leaseForm = recordForm<{ readonly until: string }>({ until: z.string() });

/** Makes the lease of the lane's sender, not taken yet. */
export function senderLease({ records, now, lane }: LaneServices): SenderLease {
  const key: Key = { table: 'lanes', pk: lane, sk: 'SENDER' };
  const takenUntil = async (): Promise<string | undefined> => {
    const held = await records.get(key);
    const before = held && parseRecord('sender lease', leaseForm, held).until;
    if (before !== undefined && Date.parse(before) > now().getTime()) return undefined;
    const until = new Date(now().getTime() + leaseSeconds * 1000).toISOString();
    return (await records.update({ key, put: { until }, expect: { until: before } })) && until;
  };
  let taking: Promise<string | undefined> | undefined;
  return {
    take: async () => {
      taking ??= takenUntil();
      return (await taking) !== undefined;
    },
    release: async () => {
      const until = await taking;
      if (until !== undefined) await records.update({ key, remove: true, expect: { until } });
      return taking !== undefined && until === undefined;
    },
  };
}
