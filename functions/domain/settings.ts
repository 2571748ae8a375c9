import { type Address, getAddress, isAddress } from 'viem';
import * as z from 'zod';

/** An address in lower case or with a valid checksum, converted to its EIP-55 form. Not the zero address. */
export const addressSchema = z
  .string()
  .refine(
    (value) => isAddress(value),
    'must be a 20-byte hex address in lower case or with a valid EIP-55 checksum',
  )
  .transform((value) => getAddress(value))
  .refine((value) => BigInt(value) !== 0n, 'must not be the zero address');

/** Public deployment of the registry: its address on all chains, and the delay that it enforces. */
const publicRegistry = { address: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381', revealDelaySeconds: 60 };

/** Known OP-stack chains: OP Mainnet, Base, and their Sepolia test networks. */
export const opStackChainIds = [10, 8453, 11155420, 84532];

const registryFields = {
  registryAddress: addressSchema,
  /** Newest first: `key`, which is the KMS key's own address, or a DelegateForwarder, which serves one registry. */
  delegates: z
    .array(z.union([z.literal('key'), addressSchema]))
    .min(1)
    .default(['key']),
};

/** Settings of a chain, without its RPC URLs, which are secrets in SSM. */
export const chainSettingsSchema = z
  .strictObject({
    chainId: z.int().positive(),
    name: z.string().min(1),
    /** Whether it is a test chain, on which test keys may attest. By default, only known test networks are. */
    testnet: z.boolean().optional(),
    ...registryFields,
    /** Earlier registries, newest first. An authority that delegates only on these continues to attest there. */
    formerRegistries: z.array(z.strictObject(registryFields)).default([]),
    /** Depth at which a block is final, where 1 is the newest block. `finalized` uses the block with that tag. */
    confirmations: z.union([z.int().min(1), z.literal('finalized')]).default(12),
    /** A rollup that charges in addition to gas. The fees are read from its oracle before sending. */
    rollup: z.literal('opStack').optional(),
    /** Delay between commit and reveal. Not below the registry's own delay: the registry would reject the reveals. */
    revealDelaySeconds: z.int().min(1).default(60),
    blockTimeSeconds: z.number().positive().default(12),
    /** Fee cap. Attestations wait while fees are above it. */
    maxFeePerGasGwei: z.number().positive().default(200),
    minPriorityFeeGwei: z.number().nonnegative().default(0.1),
    /** Maximum fees of a lane in a day (UTC), in the chain's currency; without it, no limit. */
    dailyFeeBudget: z.number().positive().optional(),
    /** Maximum gas cost of a transaction, in the chain's currency. Nodes reject transactions above their own cap. */
    maxTransactionFee: z.number().positive().default(1),
    /** Default: 200 attestations at the fee cap, at most a quarter of the lane's budget, in a UTC day. */
    organizationDailyFeeBudget: z.number().positive().optional(),
    maxInFlight: z.int().min(1).max(16).default(4),
    /** Maximum calls in one HTTP request to a provider. Many providers reject more than 100, some fewer. */
    rpcBatchSize: z.int().min(1).default(50),
    explorerUrl: z.url().optional(),
  })
  .refine(
    (chain) =>
      registriesOf(chain).every(({ registryAddress }) => registryAddress !== publicRegistry.address) ||
      chain.revealDelaySeconds >= publicRegistry.revealDelaySeconds,
    {
      path: ['revealDelaySeconds'],
      message: `must be at least ${publicRegistry.revealDelaySeconds}, the registry's own delay`,
    },
  )
  .refine((chain) => !hasRepeats(contractsOf(chain)), {
    path: ['formerRegistries'],
    message: 'must name each registry once, and each forwarder with one registry',
  })
  .refine((chain) => chain.minPriorityFeeGwei <= chain.maxFeePerGasGwei, {
    path: ['minPriorityFeeGwei'],
    message: 'must be at most maxFeePerGasGwei: otherwise, nothing could be sent',
  })
  .refine(({ chainId, rollup }) => rollup === 'opStack' || !opStackChainIds.includes(chainId), {
    path: ['rollup'],
    message: 'must be "opStack": this chain charges fees besides gas',
  });

export type RegistrySettings = z.output<z.ZodObject<typeof registryFields>>;

interface ChainRegistries extends RegistrySettings {
  readonly formerRegistries: readonly RegistrySettings[];
}

export function registriesOf(chain: ChainRegistries): readonly [RegistrySettings, ...RegistrySettings[]] {
  return [chain, ...chain.formerRegistries];
}

export function registryAt(chain: ChainRegistries, registryAddress: Address): RegistrySettings | undefined {
  return registriesOf(chain).find((registry) => registry.registryAddress === registryAddress);
}

const contractsOf = (chain: ChainRegistries): string[] =>
  registriesOf(chain).flatMap(({ registryAddress, delegates }) => [
    registryAddress,
    ...delegates.filter((delegate) => delegate !== 'key'),
  ]);

const hasRepeats = (values: readonly string[]): boolean => new Set(values).size < values.length;

/** Minimum of the default timeout. A shorter one would re-enter states that only wait for a first block. */
const minTaskTimeoutSeconds = 300;

/** Blocks added to a chain's finality, because an operation waits for its first block and a lane ticks once a block. */
const spareBlocks = 10;

/** Seconds in which a block is finalized, rounded up: two to three epochs on Ethereum, about as long on a rollup. */
const finalizedSeconds = 1_200;

/** Returns the usual seconds from a block until it is final. */
export function finalitySeconds({ confirmations, blockTimeSeconds }: ChainSettings): number {
  return confirmations === 'finalized' ? finalizedSeconds : confirmations * blockTimeSeconds;
}

/** Seconds in which an operation becomes final on every chain, so that timeouts are rare. */
function finalityTimeoutSeconds(chains: readonly ChainSettings[]): number {
  const seconds = chains.map((chain) => finalitySeconds(chain) + spareBlocks * chain.blockTimeSeconds);
  return Math.ceil(Math.max(minTaskTimeoutSeconds, ...seconds));
}

/** Whether the text is an origin in a browser's form: without a path and without the default port. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/[a-z0-9.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

const originSchema = z
  .string()
  .refine((text) => text === '*' || isOrigin(text), 'must be an origin such as https://example.org, or *');

/** Links are corrections, so there are fewer than attestations. Each costs gas, because it changes the registry. */
const linksPerDay = 1_000;

const tableName = z.string().regex(/^[\w.-]{3,255}$/, 'must be the name of a table');

/** Existing resources that a stack uses instead of its own: restored tables, and a removed stack's key. */
const existingSchema = z.strictObject({
  /** Name all of the first four or none. The first three must be from one point in time: they refer to each other. */
  tables: z
    .strictObject({
      attestations: tableName.optional(),
      lanes: tableName.optional(),
      queue: tableName.optional(),
      organizations: tableName.optional(),
      /** The webhooks' table of this or another stack; by default the stack's own. */
      webhooks: tableName.optional(),
      /**
       * ARN of the stream of `attestations`, with old and new images. If only the table is named, webhooks get no
       * events.
       */
      attestationsStream: z
        .string()
        .regex(
          /^arn:[a-z-]+:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]+\/stream\/\S+$/,
          'must be the ARN of a stream',
        )
        .optional(),
    })
    .refine(
      ({ attestations, lanes, queue, organizations }) =>
        new Set([attestations, lanes, queue, organizations].map((name) => name === undefined)).size === 1,
      'must name attestations, lanes, queue and organizations, or none of the four',
    )
    .refine(
      ({ attestations, attestationsStream }) =>
        attestations !== undefined || attestationsStream === undefined,
      'must name attestations if they name attestationsStream',
    )
    .optional(),
  signingKeyArn: z
    .string()
    .regex(/^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, 'must be the ARN of a KMS key, not of an alias')
    .optional(),
});

/** Schema of a deployment's settings, used by the CDK app and the functions. */
export const settingsSchema = z
  .strictObject({
    chains: z.array(chainSettingsSchema).min(1),
    defaultChainId: z.int().positive().optional(),
    /** Maximum hours for which an operation stays queued while fees are above the cap. */
    maxQueuedHours: z.number().positive().default(24),
    /** Hours after which an unmined transaction is canceled. */
    maxBoundHours: z.number().positive().default(24),
    /** Timeout after which a waiting state is entered again; by default the longest finality, at least five minutes. */
    taskTimeoutSeconds: z.int().min(5).optional(),
    throttle: z
      .strictObject({ ratePerSecond: z.int().positive(), burst: z.int().positive() })
      .default({ ratePerSecond: 100, burst: 200 }),
    /** Requests of an organization and of a key in a minute. The default leaves capacity for others. */
    rate: z
      .strictObject({ requestsPerMinute: z.int().positive(), keyRequestsPerMinute: z.int().positive() })
      .default({ requestsPerMinute: 3_000, keyRequestsPerMinute: 2_000 }),
    /** Limits of an organization: attestations and links accepted in a UTC day, and attestations unfinished at once. */
    limits: z
      .strictObject({
        attestationsPerDay: z.int().positive(),
        linksPerDay: z.int().positive().default(linksPerDay),
        inFlight: z.int().positive(),
      })
      .default({ attestationsPerDay: 10_000, linksPerDay, inFlight: 1_000 }),
    /** Origins whose pages may use the API from a browser; only `*` for all origins. */
    corsOrigins: z
      .array(originSchema)
      .refine((origins) => origins.length < 2 || !origins.includes('*'), 'names * with other origins')
      .default([]),
    /** Existing tables and key, which the stack neither creates nor deletes. */
    existing: existingSchema.optional(),
    /** Allows webhooks at `http://127.0.0.1` and `http://[::1]`. Only for emulators: environments reject it. */
    loopbackWebhooks: z.literal(true).optional(),
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

/** Names of the environment variables that the stack sets and the functions read. */
export const environmentNames = [
  'ATTESTATIONS_TABLE',
  'LANES_TABLE',
  'QUEUE_TABLE',
  'ORGANIZATIONS_TABLE',
  'WEBHOOKS_TABLE',
  'ATTEST_STATE_MACHINE_ARN',
  'LANE_STATE_MACHINE_ARN',
  'SIGNING_KEY_ID',
  /** SSM path of the RPC URLs: below it one SecureString per chain ID, with one URL per line. */
  'RPC_URLS_PATH',
  'SETTINGS_CHANGES',
  /** Fingerprint of the definition of the lane's state machine. */
  'LANE_DEFINITION',
  'SETTINGS',
  /** Methods of each API resource, as JSON. */
  'ROUTES',
  /** Namespace and service name of the stack's metrics in CloudWatch, for Powertools. */
  'POWERTOOLS_METRICS_NAMESPACE',
  'POWERTOOLS_SERVICE_NAME',
] as const;

export type Environment = Record<(typeof environmentNames)[number], string>;
