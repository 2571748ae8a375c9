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
  /** Delegate that is listed first, to which a new authority is told to delegate. Both are served. */
  readonly delegate: DelegateChoice;
  readonly revealDelaySeconds: number;
  readonly blockTimeSeconds: number;
  /** Depth at which a block of a development chain is final. */
  readonly confirmations: number;
}

/**
 * Time-out of a state that waits until nothing more than the newest block is final. On AWS a function that dies fails its
 * state at once. An emulator waits for the state's time-out, which is short here for that reason.
 */
const taskTimeoutSeconds = 20;

/** A measurement runs as one organization, and is to meet the stack's limits, not the organization's. */
const limits = { attestationsPerDay: 1_000_000, linksPerDay: 1_000_000, inFlight: 100_000 };
const rate = { requestsPerMinute: 1_000_000, keyRequestsPerMinute: 1_000_000 };
const organizationDailyFeeBudget = 1_000_000;

/** Makes the settings of a stack of one chain. */
export function stackSettings(chain: LocalChainSettings, overrides: Partial<SettingsInput>): SettingsInput {
  const { chainId, registryAddress, forwarderAddress, revealDelaySeconds } = chain;
  const { confirmations, blockTimeSeconds } = chain;
  const pace = chain.development ? { confirmations, blockTimeSeconds } : {};
  const delegates = chain.delegate === 'key' ? ['key', forwarderAddress] : [forwarderAddress, 'key'];
  const contracts = { registryAddress, delegates };
  return {
    chains: [
      {
        chainId,
        name: `Local ${chainId}`,
        // The key of the stack's own publisher is for tests.
        testnet: true,
        ...contracts,
        revealDelaySeconds,
        organizationDailyFeeBudget,
        ...pace,
      },
    ],
    taskTimeoutSeconds: Math.ceil(taskTimeoutSeconds + (confirmations - 1) * blockTimeSeconds),
    limits,
    rate,
    loopbackWebhooks: true,
    ...overrides,
  };
}
