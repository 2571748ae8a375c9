import { getAddress, isAddress } from 'viem';
import * as z from 'zod';

/** An EIP-55 address. Accepts one case throughout or a right checksum; refuses a wrong checksum and zero. */
export const addressSchema = z
  .string()
  .refine((value) => isAddress(value), 'must be a 20-byte hex address with a right EIP-55 checksum')
  .transform((value) => getAddress(value))
  .refine((value) => BigInt(value) !== 0n, 'must not be the zero address');

/** The public deployment, at this address on every chain it is on, refuses a reveal before this many seconds. */
const publicRegistry = { address: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381', revealDelaySeconds: 60 };

/** Everything the service knows of one chain, except its RPC URLs: those are secrets and live in SSM. */
export const chainSettingsSchema = z
  .strictObject({
    chainId: z.int().positive(),
    name: z.string().min(1),
    registryAddress: addressSchema,
    /** Whom authorities may delegate to, newest first: `key`, the KMS key's own address, or a DelegateForwarder's. */
    delegates: z
      .array(z.union([z.literal('key'), addressSchema]))
      .min(1)
      .default(['key']),
    /** A block this deep is final; 1 is the newest block. */
    confirmations: z.int().min(1).default(12),
    /** Not below the registry's own: the service would send reveals that it refuses. */
    revealDelaySeconds: z.int().min(1).default(60),
    blockTimeSeconds: z.number().positive().default(12),
    /** Attestations wait while fees stay above this. */
    maxFeePerGasGwei: z.number().positive().default(200),
    minPriorityFeeGwei: z.number().nonnegative().default(0.1),
    /** What one lane may pay in a day (UTC), in the chain's own coin; without it, no limit. */
    dailyFeeBudget: z.number().positive().optional(),
    /** Transactions of one lane that may be unmined at once. */
    maxInFlight: z.int().min(1).max(16).default(4),
    explorerUrl: z.url().optional(),
  })
  .refine(
    ({ registryAddress, revealDelaySeconds }) =>
      registryAddress !== publicRegistry.address || revealDelaySeconds >= publicRegistry.revealDelaySeconds,
    {
      path: ['revealDelaySeconds'],
      message: `must be at least ${publicRegistry.revealDelaySeconds}, the registry's own`,
    },
  );

/** A time-out shorter than this would look again at what is only waiting for its first block. */
const minTaskTimeoutSeconds = 300;

/** Blocks beyond the deepest that a chain asks for: an operation waits for its first block, and a lane looks once a block. */
const spareBlocks = 10;

/** Long enough for an operation to become final on each chain, so that no time-out is part of the usual way. */
function finalityTimeoutSeconds(chains: readonly z.output<typeof chainSettingsSchema>[]): number {
  const seconds = chains.map(
    ({ confirmations, blockTimeSeconds }) => (confirmations + spareBlocks) * blockTimeSeconds,
  );
  return Math.ceil(Math.max(minTaskTimeoutSeconds, ...seconds));
}

/** As a browser writes it: no path, no port that goes without saying. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/[a-z0-9.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

const originSchema = z
  .string()
  .refine((text) => text === '*' || isOrigin(text), 'must be an origin such as https://example.org, or *');

/** What one deployment of the service is told; the CDK app and the functions parse the same schema. */
export const settingsSchema = z
  .strictObject({
    chains: z.array(chainSettingsSchema).min(1),
    defaultChainId: z.int().positive().optional(),
    /** How long an operation may stay queued while fees are above the cap. */
    maxQueuedHours: z.number().positive().default(24),
    /** How long a transaction may stay unmined before it is cancelled. */
    maxBoundHours: z.number().positive().default(24),
    /**
     * How long a state waits for its task token before it looks again: a lost answer delays by this much. By default
     * as long as the slowest chain takes to call a block final, and at least five minutes.
     */
    taskTimeoutSeconds: z.int().min(5).optional(),
    throttle: z
      .strictObject({ ratePerSecond: z.int().positive(), burst: z.int().positive() })
      .default({ ratePerSecond: 100, burst: 200 }),
    /** What one organisation may have accepted in a UTC day, and unfinished at once; its own limits come before these. */
    limits: z
      .strictObject({ attestationsPerDay: z.int().positive(), inFlight: z.int().positive() })
      .default({ attestationsPerDay: 10_000, inFlight: 1_000 }),
    /** Whose pages may use the API from a browser; `*` alone for everyone's. */
    corsOrigins: z
      .array(originSchema)
      .refine((origins) => origins.length < 2 || !origins.includes('*'), 'names * beside other origins')
      .default([]),
  })
  .refine(
    (settings) => new Set(settings.chains.map((chain) => chain.chainId)).size === settings.chains.length,
    'names a chainId twice',
  )
  .refine(
    ({ chains, defaultChainId }) =>
      defaultChainId === undefined || chains.some((chain) => chain.chainId === defaultChainId),
    'defaultChainId is not one of the chains',
  )
  .transform(({ taskTimeoutSeconds, ...settings }) => ({
    ...settings,
    taskTimeoutSeconds: taskTimeoutSeconds ?? finalityTimeoutSeconds(settings.chains),
  }));

export type ChainSettings = z.output<typeof chainSettingsSchema>;
export type Settings = z.output<typeof settingsSchema>;

/** The names of the environment variables that the stack sets and the functions read, declared once. */
export const environmentNames = [
  'ATTESTATIONS_TABLE',
  'LANES_TABLE',
  'ORGANIZATIONS_TABLE',
  'ATTEST_STATE_MACHINE_ARN',
  'LANE_STATE_MACHINE_ARN',
  'SIGNING_KEY_ID',
  /** SSM path; below it one SecureString per chain id, its RPC URLs one per line. */
  'RPC_URLS_PATH',
  /** `Settings` as JSON. */
  'SETTINGS',
  /** The methods of each resource of the API, as JSON. */
  'ROUTES',
] as const;

export type Environment = Record<(typeof environmentNames)[number], string>;
