import * as z from 'zod';
import type { Change, Fields, Key } from '../records.ts';
import { formOf, parseRecord } from '../stored-record.ts';

const daySeconds = 86_400;

/** A day's record is kept this long, so that it can be read after its day; then DynamoDB deletes it. */
const keptDays = 3;

/** Numbers of an organization's requests that were accepted on a UTC day. */
export interface DailyUsage {
  /** Attestations. */
  readonly accepted: number;
  /** Child links. */
  readonly links: number;
}

/** Key of an organization's usage in the UTC day of that moment, an ISO 8601 timestamp. */
export function usageRecord(organizationId: string, at: string): Key {
  return { table: 'attestations', pk: `${organizationId}#usage`, sk: `usage#${at.slice(0, 10)}` };
}

const usageForm = formOf({}, { accepted: z.number(), links: z.number() });

/** Returns what a day's record counts; a day without one has nothing. @throws RecordInvalidError */
export function parseUsage(usage: Fields | undefined): DailyUsage {
  const { accepted = 0, links = 0 } = parseRecord('usage', usageForm, usage ?? {});
  return { accepted, links };
}

/** Change that adds to an organization's usage on the UTC day of that moment, an ISO 8601 timestamp. */
export function addUsage(organizationId: string, at: string, used: Partial<DailyUsage>): Change {
  return { key: usageRecord(organizationId, at), set: { expiresAt: usageExpiry(at) }, add: used };
}

/** Time when DynamoDB may delete a record of that day, in seconds since 1970. */
export function usageExpiry(at: string): number {
  return Math.floor(Date.parse(at) / 1000) + keptDays * daySeconds;
}

/** Seconds until the UTC day ends. */
export function secondsLeftOfDay(now: Date): number {
  return daySeconds - (Math.floor(now.getTime() / 1000) % daySeconds);
}
