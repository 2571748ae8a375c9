import { type ClientOptions, ImprimaturClient } from '../src/imprimatur.ts';
import type { FakeApi } from './fake-api.ts';
import { FakeTime } from './fake-time.ts';

export const apiKey = 'imp_test_0123456789abcdefghijABCDEFGHIJKL';

/** A client of a fake API for which no time passes. */
export function clientOf({ url }: FakeApi, options: Partial<ClientOptions> = {}) {
  const clock = new FakeTime();
  const client = new ImprimaturClient({ url, apiKey, clock, random: () => 0, ...options });
  return { client, clock };
}
