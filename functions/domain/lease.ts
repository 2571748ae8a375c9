import * as z from 'zod';
import type { Fields, Key } from './records.ts';
import type { Services } from './services.ts';
import { parseRecord, recordForm } from './stored-record.ts';

const leaseForm = recordForm<{ readonly until: string }>({ until: z.string() });

/**
 * Takes a lease for a time, in milliseconds, unless somebody has it: one that is not given back runs out.
 *
 * @param more further fields of its record
 * @returns the time until which it is held, ISO 8601, which giving it back expects; `undefined` when somebody has it
 */
export async function takeLease(
  { records, now }: Pick<Services, 'records' | 'now'>,
  key: Key,
  milliseconds: number,
  more: Fields = {},
): Promise<string | undefined> {
  const held = await records.get(key);
  const before = held && parseRecord('lease', leaseForm, held).until;
  const from = now().getTime();
  if (before !== undefined && Date.parse(before) > from) return undefined;
  const until = new Date(from + milliseconds).toISOString();
  const isTaken = await records.update({ key, put: { until, ...more }, expect: { until: before } });
  return isTaken ? until : undefined;
}
