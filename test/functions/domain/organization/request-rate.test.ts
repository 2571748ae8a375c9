import { expect, test } from 'vitest';
import { LimitReachedError } from '../../../../functions/domain/errors.ts';
import type { Caller, KeyUse } from '../../../../functions/domain/organization/api-keys.ts';
import { RequestRate, rateRecord } from '../../../../functions/domain/organization/request-rate.ts';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';
import { FakeLog } from '../../../fakes/ports/fake-log.ts';
import { alice, bob } from '../../../fakes/world/world.ts';

const limits = { requestsPerMinute: 300, keyRequestsPerMinute: 200 };
const start = Date.parse('2026-01-01T00:00:00.000Z');
const at = (seconds: number) => new Date(start + seconds * 1000);
const withKey = (caller: Caller, keyId: string): Caller & KeyUse => ({ ...caller, keyId, mode: 'live' });
const [first, second] = [withKey(alice, 'a'.repeat(32)), withKey(alice, 'b'.repeat(32))];

/** Makes the rates of several processes of one service, each with its own count in addition to the store's. */
function processes(count: number) {
  const records = new MemoryRecords();
  const log = new FakeLog();
  return { records, log, rates: Array.from({ length: count }, () => new RequestRate(records, limits, log)) };
}

/** Makes requests, to one process after the other, and returns the number that was admitted. */
async function admit(rates: readonly RequestRate[], requests: number, caller = first, now = at(0)) {
  let count = 0;
  for (let request = 0; request < requests; request++) {
    const answer = await rates[request % rates.length]?.admit(caller, now).catch((error: unknown) => error);
    if (answer === undefined) count += 1;
    else expect(answer).toBeInstanceOf(LimitReachedError);
  }
  return count;
}

test('a key has its rate in each minute, and the refusal contains the seconds until the next minute', async () => {
  const { rates } = processes(1);
  expect(await admit(rates, 250, first, at(12))).toBe(200);
  await expect(rates[0]?.admit(first, at(12))).rejects.toMatchObject({ retryAfterSeconds: 48 });
  expect(await admit(rates, 250, first, at(60))).toBe(200);
});

test('an organization has its rate for all its keys, without effect on others', async () => {
  const { rates } = processes(1);
  expect(await admit(rates, 250, first)).toBe(200);
  expect(await admit(rates, 250, second)).toBe(100);
  expect(await admit(rates, 250, withKey(bob, 'c'.repeat(32)))).toBe(200);
});

test('an organization’s own rate takes precedence over that of the settings', async () => {
  const own = { ...first, limits: { requestsPerMinute: 30, keyRequestsPerMinute: 20 } };
  const { rates } = processes(1);
  expect(await admit(rates, 50, own)).toBe(20);
  expect(await admit(rates, 50, { ...own, keyId: second.keyId })).toBe(10);
});

test.each([2, 5, 40])('%i processes together admit no more than the rate, and little less', async (count) => {
  const { rates } = processes(count);
  const all = await admit(rates, 400);
  expect(all).toBeLessThanOrEqual(limits.keyRequestsPerMinute);
  expect(all).toBeGreaterThanOrEqual(limits.keyRequestsPerMinute * 0.8);
});

test('a busy process rarely writes, and never after a refusal', async () => {
  const { records, rates } = processes(1);
  await admit(rates, 150);
  expect(records.writes.calls).toBeLessThan(25);
  await admit(rates, 60);
  records.writes.reset();
  await admit(rates, 500);
  expect(records.writes.calls).toBe(0);
});

test('the count of a minute expires', async () => {
  const { records, rates } = processes(1);
  await admit(rates, 1, first, at(59));
  const key = rateRecord(alice.organizationId, at(0));
  expect(records.peek(key)).toEqual({ requests: 1, [first.keyId]: 1, expiresAt: start / 1000 + 59 + 3600 });
});

test('a request that cannot be counted is admitted and logged', async () => {
  const { records, rates, log } = processes(1);
  records.update = () => Promise.reject(new Error('the store is busy'));
  expect(await admit(rates, 3)).toBe(3);
  expect(log.messages('error')).toEqual(Array(3).fill('request not counted'));
});
