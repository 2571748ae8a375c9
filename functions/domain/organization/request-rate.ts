import * as z from 'zod';
import { LimitReachedError } from '../errors.ts';
import type { Key, Records } from '../records.ts';
import type { Log } from '../services.ts';
import { formOf, parseRecord } from '../stored-record.ts';
import type { Caller, KeyUse } from './api-keys.ts';
import { usageRecord } from './daily-usage.ts';

export interface RateLimits {
  readonly requestsPerMinute: number;
  readonly keyRequestsPerMinute: number;
}

const minuteSeconds = 60;

/** How long a minute's record is kept, in seconds, because other processes' clocks may be behind. */
const keptSeconds = 3600;

/** Share of its admitted requests that a process counts in advance, so that a busy one writes rarely. */
const advanceShare = 1 / 4;

/** Returns the key of the record that counts an organization's requests in a minute, in total and by key ID. */
export function rateRecord(organizationId: string, at: Date): Key {
  const minute = at.toISOString().slice(0, 16);
  return { ...usageRecord(organizationId, at.toISOString()), sk: `rate#${minute}` };
}

/** Requests with a key that a process has admitted in a minute, and that it may admit before it counts again. */
interface Share {
  admitted: number;
  remaining: number;
  isUsedUp: boolean;
}

/** Each process counts several requests in advance, in one write. If counting fails, it admits the request. */
export class RequestRate {
  readonly #records: Records;
  readonly #limits: RateLimits;
  readonly #log: Log;
  #minute = '';
  readonly #shares = new Map<string, Share>();

  constructor(records: Records, limits: RateLimits, log: Log) {
    this.#records = records;
    this.#limits = limits;
    this.#log = log;
  }

  /** Admits or rejects a request. @throws LimitReachedError until the minute ends */
  async admit(caller: Caller & KeyUse, now: Date): Promise<void> {
    const share = this.#shareOf(caller, now);
    if (share.remaining === 0 && !share.isUsedUp) await this.#take(caller, share, now);
    if (share.remaining === 0) throw new LimitReachedError(minuteSeconds - now.getUTCSeconds());
    share.remaining -= 1;
    share.admitted += 1;
  }

  /** Whether this key is known to be refused until the minute ends. */
  isUsedUp(use: KeyUse, now: Date): boolean {
    const { remaining, isUsedUp } = this.#shareOf(use, now);
    return remaining === 0 && isUsedUp;
  }

  #shareOf({ keyId }: KeyUse, now: Date): Share {
    const { sk: minute } = rateRecord('', now);
    if (minute !== this.#minute) this.#shares.clear();
    this.#minute = minute;
    const share = this.#shares.get(keyId) ?? { admitted: 0, remaining: 0, isUsedUp: false };
    this.#shares.set(keyId, share);
    return share;
  }

  async #take(caller: Caller & KeyUse, share: Share, now: Date): Promise<void> {
    const { organizationId, keyId } = caller;
    const taken = Math.max(1, Math.floor(share.admitted * advanceShare));
    try {
      const remaining = await this.#count(caller, taken, now);
      share.remaining = Math.max(0, Math.min(taken, remaining));
      share.isUsedUp = share.remaining === 0;
      // Gives back the part that exceeds the key's limit, so that the organization's other keys can use it.
      if (share.remaining < taken) await this.#count(caller, share.remaining - taken, now);
    } catch (error) {
      this.#log.error('request not counted', error, { organizationId, keyId });
      share.remaining = 1;
    }
  }

  /** Adds `taken`, which may be negative, to the counts. @returns the number that was available before */
  async #count(
    { organizationId, keyId, limits }: Caller & KeyUse,
    taken: number,
    now: Date,
  ): Promise<number> {
    const { requestsPerMinute, keyRequestsPerMinute } = { ...this.#limits, ...limits };
    const counted = await this.#records.update({
      key: rateRecord(organizationId, now),
      set: { expiresAt: Math.floor(now.getTime() / 1000) + keptSeconds },
      add: { requests: taken, [keyId]: taken },
    });
    const form = formOf({ requests: z.number(), [keyId]: z.number() });
    const { requests = 0, [keyId]: ofKey = 0 } = parseRecord('request rate', form, counted);
    return taken + Math.min(requestsPerMinute - requests, keyRequestsPerMinute - ofKey);
  }
}
