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
const using = (caller: Caller, keyId: string): Caller & KeyUse => ({ ...caller, keyId, mode: 'live' });
const [first, second] = [using(alice, 'a'.repeat(32)), using(alice, 'b'.repeat(32))];

/** Functions of one service: each has a count of its own beside the store's. */
function processes(count: number) {
  const records = new MemoryRecords();
  const log = new FakeLog();
  return { records, log, rates: Array.from({ length: count }, () => new RequestRate(records, limits, log)) };
}

/** Makes requests, to one process after the other, and returns the number that was admitted. */
async function admitted(rates: readonly RequestRate[], requests: number, caller = first, now = at(0)) {
  let count = 0;
  for (let request = 0; request < requests; request++) {
    const answer = await rates[request % rates.length]?.admit(caller, now).catch((error: unknown) => error);
    if (answer === undefined) count += 1;
    else expect(answer).toBeInstanceOf(LimitReachedError);
  }
  return count;
}

test('a key has its rate in each minute, and the refusal names the start of the next', async () => {
  const { rates } = processes(1);
  expect(await admitted(rates, 250, first, at(12))).toBe(200);
  await expect(rates[0]?.admit(first, at(12))).rejects.toMatchObject({ retryAfterSeconds: 48 });
  expect(await admitted(rates, 250, first, at(60))).toBe(200);
});

test('an organization has its rate for all its keys, without effect on others', async () => {
  const { rates } = processes(1);
  expect(await admitted(rates, 250, first)).toBe(200);
  expect(await admitted(rates, 250, second)).toBe(100);
  expect(await admitted(rates, 250, using(bob, 'c'.repeat(32)))).toBe(200);
});

test('an organization’s own rate takes precedence over that of the settings', async () => {
  const own = { ...first, limits: { requestsPerMinute: 30, keyRequestsPerMinute: 20 } };
  const { rates } = processes(1);
  expect(await admitted(rates, 50, own)).toBe(20);
  expect(await admitted(rates, 50, { ...own, keyId: second.keyId })).toBe(10);
});

test.each([2, 5, 40])('%i processes count together: none admits more, and little is lost', async (count) => {
  const { rates } = processes(count);
  const all = await admitted(rates, 400);
  expect(all).toBeLessThanOrEqual(limits.keyRequestsPerMinute);
  expect(all).toBeGreaterThanOrEqual(limits.keyRequestsPerMinute * 0.8);
});

test('a busy process writes seldom, and not at all after a refusal', async () => {
  const { records, rates } = processes(1);
  await admitted(rates, 150);
  expect(records.writes.calls).toBeLessThan(25);
  await admitted(rates, 60);
  records.writes.reset();
  await admitted(rates, 500);
  expect(records.writes.calls).toBe(0);
});

test('the count expires', async () => {
  const { records, rates } = processes(1);
  await admitted(rates, 1, first, at(59));
  const key = rateRecord(alice.organizationId, at(0));
  expect(records.peek(key)).toEqual({ requests: 1, [first.keyId]: 1, expiresAt: start / 1000 + 59 + 3600 });
});

test('a request that cannot be counted is admitted and logged', async () => {
  const { records, rates, log } = processes(1);
  records.update = () => Promise.reject(new Error('the store is busy'));
  expect(await admitted(rates, 3)).toBe(3);
  expect(log.messages('error')).toEqual(Array(3).fill('request not counted'));
});
