import type { Hex } from 'viem';
import { expect, it } from 'vitest';
import { settingsSchema } from '../../../functions/domain/settings.ts';
import { stackSettings } from '../../../local/stack/stack-settings.ts';

const forwarderAddress: Hex = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const chain = {
  chainId: 31337,
  development: true,
  registryAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  forwarderAddress,
  delegate: 'key',
  revealDelaySeconds: 5,
  blockTimeSeconds: 1,
  confirmations: 1,
} as const;

const delegatesOf = (delegate: 'key' | 'forwarder') =>
  settingsSchema.parse(stackSettings({ ...chain, delegate }, {})).chains[0]?.delegates;

it('serves both who delegate to the key and who delegate to the forwarder, the chosen one first', () => {
  expect(delegatesOf('key')).toEqual(['key', forwarderAddress]);
  expect(delegatesOf('forwarder')).toEqual([forwarderAddress, 'key']);
});

it('takes the newest block of a development chain for final, and of no other', () => {
  const confirmations = (development: boolean) =>
    settingsSchema.parse(stackSettings({ ...chain, development }, {})).chains[0]?.confirmations;
  expect([confirmations(true), confirmations(false)]).toEqual([1, 12]);
});

it('lets a state wait until a block of a development chain is final', () => {
  const { chains, taskTimeoutSeconds } = settingsSchema.parse(
    stackSettings({ ...chain, confirmations: 60 }, {}),
  );
  expect(chains[0]?.confirmations).toBe(60);
  expect(taskTimeoutSeconds).toBe(79);
});

it('lets what a stack is told beyond the chain stand', () => {
  expect(stackSettings(chain, { maxQueuedHours: 2 })).toMatchObject({ maxQueuedHours: 2 });
});
