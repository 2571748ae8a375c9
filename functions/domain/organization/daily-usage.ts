import * as z from 'zod';
import type { Change, Fields, Key } from '../records.ts';
import { formOf, parseRecord } from '../stored-record.ts';

const daySeconds = 86_400;

/** Days for which a day's record is kept before DynamoDB deletes it, so that `status` can sum a month. */
const keptDays = 40;

export interface DailyUsage {
  /** Attestations. */
  readonly accepted: number;
  readonly links: number;
}

/** Returns the key of an organization's usage on the UTC day of a time, ISO 8601. */
export function usageRecord(organizationId: string, time: string): Key {
  return { table: 'attestations', pk: `${organizationId}#usage`, sk: `usage#${time.slice(0, 10)}` };
}

const usageForm = formOf({}, { accepted: z.number(), links: z.number() });

/** Parses a day's record. Without a record, all counts are 0. @throws RecordInvalidError */
export function parseUsage(usage: Fields | undefined): DailyUsage {
  const { accepted = 0, links = 0 } = parseRecord('usage', usageForm, usage ?? {});
  return { accepted, links };
}

export function addUsage(organizationId: string, time: string, used: Partial<DailyUsage>): Change {
  return { key: usageRecord(organizationId, time), set: { expiresAt: usageExpiry(time) }, add: used };
}

/** Returns the time at which DynamoDB may delete a record of that day, in seconds since 1970. */
export function usageExpiry(time: string): number {
  return Math.floor(Date.parse(time) / 1000) + keptDays * daySeconds;
}

export function secondsLeftOfDay(now: Date): number {
  return daySeconds - (Math.floor(now.getTime() / 1000) % daySeconds);
}
