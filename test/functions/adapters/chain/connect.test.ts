import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Providers } from '../../../../functions/adapters/chain/providers.ts';
import { viemChain } from '../../../../functions/adapters/chain/viem-chain.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { chainSettingsSchema } from '../../../../functions/domain/settings.ts';
import { chainId, registryAddress } from './providers.ts';

const settings = chainSettingsSchema.parse({ chainId, name: 'Local', registryAddress });
const head = { number: 16, timestamp: 32 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Reads the head of a chain whose providers answer at once, and whose RPC URLs are read in this time. */
async function headAfter(seconds: number) {
  const providers: Providers = { ask: async () => head as never, send: async () => {} };
  const connect = () => new Promise<Providers>((resolve) => setTimeout(resolve, seconds * 1000, providers));
  const answer = viemChain({ settings, connect, timeoutMilliseconds: 2_000 })
    .head()
    .catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return answer;
}

test('reading the RPC URLs takes none of the providers’ time', async () => {
  expect(await headAfter(9)).toEqual(head);
});

test('a chain counts as unreachable if its RPC URLs are not read within ten seconds', async () => {
  expect(await headAfter(11)).toBeInstanceOf(ChainUnreachableError);
});
