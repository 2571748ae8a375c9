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

it('the settings list both delegates, the chosen one first', () => {
  expect(delegatesOf('key')).toEqual(['key', forwarderAddress]);
  expect(delegatesOf('forwarder')).toEqual([forwarderAddress, 'key']);
});

it('only a development chain has the given number of confirmations; another has the default', () => {
  const confirmations = (development: boolean) =>
    settingsSchema.parse(stackSettings({ ...chain, development }, {})).chains[0]?.confirmations;
  expect([confirmations(true), confirmations(false)]).toEqual([1, 12]);
});

it('the task timeout covers finality on a development chain', () => {
  const { chains, taskTimeoutSeconds } = settingsSchema.parse(
    stackSettings({ ...chain, confirmations: 60 }, {}),
  );
  expect(chains[0]?.confirmations).toBe(60);
  expect(taskTimeoutSeconds).toBe(79);
});

it('the settings keep other given values', () => {
  expect(stackSettings(chain, { maxQueuedHours: 2 })).toMatchObject({ maxQueuedHours: 2 });
});
