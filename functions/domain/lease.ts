import * as z from 'zod';
import type { Fields, Key } from './records.ts';
import type { Services } from './services.ts';
import { formOf, parseRecord } from './stored-record.ts';

const leaseForm = formOf({ until: z.string() });

/** @returns the end of the lease, which identifies it, or `undefined` if another process has it */
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
