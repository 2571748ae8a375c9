import type { Address } from 'viem';
import type * as z from 'zod';
import type { settingsSchema } from '../../functions/domain/settings.ts';

/** Contents of a settings file. */
export type SettingsInput = z.input<typeof settingsSchema>;

/** Kinds of delegate of a publisher's authority: the signing key itself, or the forwarder that the key operates. */
export const delegateChoices = ['key', 'forwarder'] as const;
export type DelegateChoice = (typeof delegateChoices)[number];

export interface LocalChainSettings {
  readonly chainId: number;
  readonly development: boolean;
  readonly registryAddress: Address;
  readonly forwarderAddress: Address;
  /** Delegate that is listed first, for new authorities. The service supports both. */
  readonly delegate: DelegateChoice;
  readonly revealDelaySeconds: number;
  readonly blockTimeSeconds: number;
  /** Depth at which a block of a development chain is final. */
  readonly confirmations: number;
}

/**
 * Timeout of a waiting state with one confirmation. On AWS, a crashed function fails its state immediately. MiniStack
 * waits for the timeout, so the timeout is short.
 */
const taskTimeoutSeconds = 20;

/** Limits that are high enough for a benchmark with one organization. */
const limits = { attestationsPerDay: 1_000_000, linksPerDay: 1_000_000, inFlight: 100_000 };
const rate = { requestsPerMinute: 1_000_000, keyRequestsPerMinute: 1_000_000 };
const organizationDailyFeeBudget = 1_000_000;

/** Makes the settings of a stack of one chain. */
export function stackSettings(chain: LocalChainSettings, overrides: Partial<SettingsInput>): SettingsInput {
  const { chainId, registryAddress, forwarderAddress, revealDelaySeconds } = chain;
  const { confirmations, blockTimeSeconds } = chain;
  const timing = chain.development ? { confirmations, blockTimeSeconds } : {};
  const delegates = chain.delegate === 'key' ? ['key', forwarderAddress] : [forwarderAddress, 'key'];
  const contracts = { registryAddress, delegates };
  return {
    chains: [
      {
        chainId,
        name: `Local ${chainId}`,
        // The stack's publisher has a test key.
        testnet: true,
        ...contracts,
        revealDelaySeconds,
        organizationDailyFeeBudget,
        ...timing,
      },
    ],
    taskTimeoutSeconds: Math.ceil(taskTimeoutSeconds + (confirmations - 1) * blockTimeSeconds),
    limits,
    rate,
    loopbackWebhooks: true,
    ...overrides,
  };
}
