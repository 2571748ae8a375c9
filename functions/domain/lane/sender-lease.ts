import * as z from 'zod';
import type { Key } from '../records.ts';
import type { Services } from '../services.ts';
import { parseRecord, recordForm } from '../stored-record.ts';

/** Time after which the lease of a sender that died is free: longer than sending one transaction takes. */
const leaseSeconds = 10;

/**
 * Lease of a lane's one sender. It only saves work, that of simulating what another function sends at the same moment:
 * two senders at once do no harm.
 */
export interface SenderLease {
  /** Whether another function had it when it was to be taken. */
  readonly isRefused: boolean;
  /** Takes the lease, once; false when it is refused. */
  take(): Promise<boolean>;
  /** Gives the lease back, if it was taken and is still this sender's. One that is not given back runs out. */
  release(): Promise<void>;
}

const leaseForm = recordForm<{ readonly until: string }>({ until: z.string() });

/** Makes the lease of a lane's sender, not taken yet. */
export function senderLease(services: Services, lane: string): SenderLease {
  const { records } = services;
  const key: Key = { table: 'lanes', pk: lane, sk: 'SENDER' };
  let taking: Promise<string | undefined> | undefined;
  let isRefused = false;
  return {
    get isRefused() {
      return isRefused;
    },
    take: async () => {
      taking ??= takenUntil(services, key);
      isRefused = (await taking) === undefined;
      return !isRefused;
    },
    release: async () => {
      const until = await taking;
      if (until !== undefined) await records.update({ key, remove: true, expect: { until } });
    },
  };
}

/** Takes the lease; returns when it runs out, ISO 8601, or `undefined` while another function has it. */
async function takenUntil({ records, now }: Services, key: Key): Promise<string | undefined> {
  const held = await records.get(key);
  const before = held && parseRecord('sender lease', leaseForm, held).until;
  if (before !== undefined && Date.parse(before) > now().getTime()) return undefined;
  const until = new Date(now().getTime() + leaseSeconds * 1000).toISOString();
  const taken = await records.update({ key, put: { until }, expect: { until: before } });
  return taken && until;
}
