import * as z from 'zod';
import type { Fields, Key } from './records.ts';
import type { Services } from './services.ts';
import { formOf, parseRecord } from './stored-record.ts';

const leaseForm = formOf({ until: z.string() });

/** Takes a lease. @returns the end of the lease, which identifies it, or `undefined` if another process has it */
export async function takeLease(
  { records, now }: Pick<Services, 'records' | 'now'>,
  key: Key,
  milliseconds: number,
  extraFields: Fields = {},
): Promise<string | undefined> {
  const stored = await records.get(key);
  const previous = stored && parseRecord('lease', leaseForm, stored).until;
  const start = now().getTime();
  if (previous !== undefined && Date.parse(previous) > start) return undefined;
  const until = new Date(start + milliseconds).toISOString();
  const isTaken = await records.update({ key, put: { until, ...extraFields }, expect: { until: previous } });
  return isTaken ? until : undefined;
}
