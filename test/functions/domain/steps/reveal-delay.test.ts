import { expect, test } from 'vitest';
import { chainSettingsSchema } from '../../../../functions/domain/settings.ts';

const publicRegistry = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
const ownRegistry = `0x${'4'.repeat(40)}`;

const chain = (registryAddress: string, revealDelaySeconds?: number) =>
  chainSettingsSchema.safeParse({ chainId: 1, name: 'A chain', registryAddress, revealDelaySeconds });

test('the reveal delay is 60 seconds unless a setting says otherwise', () => {
  expect(chain(publicRegistry).data?.revealDelaySeconds).toBe(60);
  expect(chain(ownRegistry, 4).data?.revealDelaySeconds).toBe(4);
});

test('a reveal delay below that of the public registry is refused by name', () => {
  expect(chain(publicRegistry, 59).error?.issues.map(({ path }) => path)).toEqual([['revealDelaySeconds']]);
});
