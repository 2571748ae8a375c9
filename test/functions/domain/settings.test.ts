import { expect, test } from 'vitest';
import { ageLimits, blockAgeSeconds, secondsSince } from '../../../functions/domain/age-limits.ts';
import { chainSettingsSchema } from '../../../functions/domain/settings.ts';
import { makeWorld } from '../../fakes/world/world.ts';

const limitsOf = (given: Parameters<typeof makeWorld>[0]) => ageLimits(makeWorld(given).chain.settings);

test('age limits grow with a long block time', () => {
  const common = { confirmations: 12, revealDelaySeconds: 60 };
  expect([2, 12, 15, 60].map((blockTimeSeconds) => limitsOf({ ...common, blockTimeSeconds }))).toEqual([
    { head: 180, unmined: 600, unfinished: 1_800 },
    { head: 180, unmined: 600, unfinished: 1_800 },
    { head: 225, unmined: 750, unfinished: 1_800 },
    { head: 900, unmined: 3_000, unfinished: 4 * (60 + 12 * 60) },
  ]);
});

test('an attestation’s age limit is four times its usual duration, including finality', () => {
  const { unfinished } = limitsOf({ confirmations: 64, blockTimeSeconds: 12, revealDelaySeconds: 60 });
  expect(unfinished).toBe(4 * (60 + 768));
});

test('a chain no longer in the settings has the lowest limits', () => {
  expect(ageLimits(undefined)).toEqual({ head: 180, unmined: 600, unfinished: 1_800 });
});

test('ages are whole seconds, and negative while the chain is ahead', () => {
  const now = new Date('2026-01-01T00:01:00.400Z');
  expect(secondsSince('2026-01-01T00:00:00.000Z', now)).toBe(60);
  const head = { number: 7, timestamp: Date.parse('2026-01-01T00:01:05Z') / 1000 };
  expect(blockAgeSeconds(head, now)).toBe(-5);
});

const publicRegistry = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
const ownRegistry = `0x${'4'.repeat(40)}`;

const parsed = (registryAddress: string, revealDelaySeconds?: number) =>
  chainSettingsSchema.safeParse({ chainId: 1, name: 'A chain', registryAddress, revealDelaySeconds });

test('the reveal delay is 60 seconds by default', () => {
  expect(parsed(publicRegistry).data?.revealDelaySeconds).toBe(60);
  expect(parsed(ownRegistry, 4).data?.revealDelaySeconds).toBe(4);
});

test('a reveal delay below that of the public registry is refused', () => {
  expect(parsed(publicRegistry, 59).error?.issues.map(({ path }) => path)).toEqual([['revealDelaySeconds']]);
});
