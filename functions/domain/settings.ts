import { type Address, getAddress, isAddress } from 'viem';
import * as z from 'zod';

/** Address in one case or with a right checksum, parsed to its EIP-55 form; not the zero address. */
export const addressSchema = z
  .string()
  .refine((value) => isAddress(value), 'must be a 20-byte hex address with a right EIP-55 checksum')
  .transform((value) => getAddress(value))
  .refine((value) => BigInt(value) !== 0n, 'must not be the zero address');

/** Public deployment of the registry: its address on every chain it is on, and the delay that it enforces. */
const publicRegistry = { address: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381', revealDelaySeconds: 60 };

/** OP-stack chains that settings are known to name: OP Mainnet, Base, and their Sepolia test networks. */
const opStackChainIds = [10, 8453, 11155420, 84532];

const registryFields = {
  registryAddress: addressSchema,
  /** Newest first: `key`, the KMS key's own address, or a DelegateForwarder, which serves one registry. */
  delegates: z
    .array(z.union([z.literal('key'), addressSchema]))
    .min(1)
    .default(['key']),
};

/** Everything the service knows of a chain, except its RPC URLs, which are secrets and are kept in SSM. */
export const chainSettingsSchema = z
  .strictObject({
    chainId: z.int().positive(),
    name: z.string().min(1),
    /** Whether it is a test chain, on which keys for tests may attest; by default only known test networks are. */
    testnet: z.boolean().optional(),
    ...registryFields,
    /** Earlier registries, newest first. An authority that delegated on none but these goes on attesting there. */
    formerRegistries: z.array(z.strictObject(registryFields)).default([]),
    /** Depth at which a block is final, 1 being the newest; or the block that nodes show as `finalized`. */
    confirmations: z.union([z.int().min(1), z.literal('finalized')]).default(12),
    /** Kind of a roll-up that takes fees beside gas: they are read from its gas price oracle before sending. */
    rollup: z.literal('opStack').optional(),
    /** Delay between commit and reveal. Not below the registry's own: it would refuse the service's reveals. */
    revealDelaySeconds: z.int().min(1).default(60),
    blockTimeSeconds: z.number().positive().default(12),
    /** Cap of the fees: attestations wait while fees stay above it. */
    maxFeePerGasGwei: z.number().positive().default(200),
    minPriorityFeeGwei: z.number().nonnegative().default(0.1),
    /** Fees that one lane may pay in a day (UTC), in the chain's own coin; without it, no limit. */
    dailyFeeBudget: z.number().positive().optional(),
    /** Gas fee that one transaction may cost at worst, in the chain's own coin: nodes pass on none above their own cap. */
    maxTransactionFee: z.number().positive().default(1),
    /** Without it, what 200 attestations cost at the cap, and at most a quarter of the lane's, in a UTC day. */
    organizationDailyFeeBudget: z.number().positive().optional(),
    /** Transactions of one lane that may be unmined at once. */
    maxInFlight: z.int().min(1).max(16).default(4),
    /** Calls in one HTTP request to a provider. Many providers refuse more than 100, some fewer. */
    rpcBatchSize: z.int().min(1).default(50),
    explorerUrl: z.url().optional(),
  })
  .refine(
    (chain) =>
      registriesOf(chain).every(({ registryAddress }) => registryAddress !== publicRegistry.address) ||
      chain.revealDelaySeconds >= publicRegistry.revealDelaySeconds,
    {
      path: ['revealDelaySeconds'],
      message: `must be at least ${publicRegistry.revealDelaySeconds}, the registry's own`,
    },
  )
  .refine((chain) => !hasRepeats(contractsOf(chain)), {
    path: ['formerRegistries'],
    message: 'must name each registry once, and each forwarder with one registry',
  })
  .refine((chain) => chain.minPriorityFeeGwei <= chain.maxFeePerGasGwei, {
    path: ['minPriorityFeeGwei'],
    message: 'must be at most maxFeePerGasGwei: nothing could be sent',
  })
  .refine(({ chainId, rollup }) => rollup === 'opStack' || !opStackChainIds.includes(chainId), {
    path: ['rollup'],
    message: 'must be "opStack": this chain takes fees beside gas',
  });

export type RegistrySettings = z.output<z.ZodObject<typeof registryFields>>;

interface ChainRegistries extends RegistrySettings {
  readonly formerRegistries: readonly RegistrySettings[];
}

export function registriesOf(chain: ChainRegistries): readonly [RegistrySettings, ...RegistrySettings[]] {
  return [chain, ...chain.formerRegistries];
}

export function registryAt(chain: ChainRegistries, registryAddress: Address): RegistrySettings | undefined {
  return registriesOf(chain).find((one) => one.registryAddress === registryAddress);
}

const contractsOf = (chain: ChainRegistries): string[] =>
  registriesOf(chain).flatMap(({ registryAddress, delegates }) => [
    registryAddress,
    ...delegates.filter((delegate) => delegate !== 'key'),
  ]);

const hasRepeats = (values: readonly string[]): boolean => new Set(values).size < values.length;

/** Lower bound of the default time-out: a shorter one would re-enter states that only wait for a first block. */
const minTaskTimeoutSeconds = 300;

/** Blocks added to a chain's finality: an operation waits for its first block, and a lane ticks once a block. */
const spareBlocks = 10;

/** Mean seconds until a block is finalised: Ethereum takes two to three epochs, a roll-up about as long after. */
const finalizedSeconds = 1_200;

/** Time from a block until it is final as a rule, in seconds. */
export function finalitySeconds({ confirmations, blockTimeSeconds }: ChainSettings): number {
  return confirmations === 'finalized' ? finalizedSeconds : confirmations * blockTimeSeconds;
}

/** Time in which an operation becomes final on each chain, so that a time-out is not part of the usual course. */
function finalityTimeoutSeconds(chains: readonly ChainSettings[]): number {
  const seconds = chains.map((chain) => finalitySeconds(chain) + spareBlocks * chain.blockTimeSeconds);
  return Math.ceil(Math.max(minTaskTimeoutSeconds, ...seconds));
}

/** Whether the text is an origin as a browser writes it: without a path and without the scheme's default port. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/[a-z0-9.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

const originSchema = z
  .string()
  .refine((text) => text === '*' || isOrigin(text), 'must be an origin such as https://example.org, or *');

/** A link is a correction: there are fewer of them than of attestations, and each costs a transaction's gas. */
const linksPerDay = 1_000;

const tableName = z.string().regex(/^[\w.-]{3,255}$/, 'must be the name of a table');

/** Schema of what a stack takes over in place of making its own: tables that were restored, the key of a stack that is gone. */
const existingSchema = z.strictObject({
  /** The first four together, of one point in time: rows, lanes and queues tell of each other. */
  tables: z
    .strictObject({
      attestations: tableName.optional(),
      lanes: tableName.optional(),
      queue: tableName.optional(),
      organizations: tableName.optional(),
      /** The table of webhooks that this or another stack had; without it, the stack's own. */
      webhooks: tableName.optional(),
      /** ARN of the stream of the table of attestations, with old and new images: without it, webhooks hear nothing. */
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
      'must name attestations beside attestationsStream',
    )
    .optional(),
  signingKeyArn: z
    .string()
    .regex(/^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, 'must be the ARN of a KMS key, not of an alias')
    .optional(),
});

/** Schema of a deployment's settings; the CDK app and the functions parse the same schema. */
export const settingsSchema = z
  .strictObject({
    chains: z.array(chainSettingsSchema).min(1),
    defaultChainId: z.int().positive().optional(),
    /** Longest time that an operation stays queued while fees are above the cap. */
    maxQueuedHours: z.number().positive().default(24),
    /** Longest time that a transaction stays unmined before it is cancelled. */
    maxBoundHours: z.number().positive().default(24),
    /** Time-out after which a waiting state is entered again; by default the longest finality, or five minutes. */
    taskTimeoutSeconds: z.int().min(5).optional(),
    throttle: z
      .strictObject({ ratePerSecond: z.int().positive(), burst: z.int().positive() })
      .default({ ratePerSecond: 100, burst: 200 }),
    /** Requests of an organization in a minute, in all and by one key; the default leaves others their part. */
    rate: z
      .strictObject({ requestsPerMinute: z.int().positive(), keyRequestsPerMinute: z.int().positive() })
      .default({ requestsPerMinute: 3_000, keyRequestsPerMinute: 2_000 }),
    /** Attestations and links that an organization may have accepted in a UTC day, and unfinished at once. */
    limits: z
      .strictObject({
        attestationsPerDay: z.int().positive(),
        linksPerDay: z.int().positive().default(linksPerDay),
        inFlight: z.int().positive(),
      })
      .default({ attestationsPerDay: 10_000, linksPerDay, inFlight: 1_000 }),
    /** Origins whose pages may use the API from a browser; `*` alone for all origins. */
    corsOrigins: z
      .array(originSchema)
      .refine((origins) => origins.length < 2 || !origins.includes('*'), 'names * beside other origins')
      .default([]),
    /** Tables and key that exist, which the stack uses and neither makes nor deletes. */
    existing: existingSchema.optional(),
    /** Lets webhooks be at `http://127.0.0.1` and `http://[::1]`. For emulators alone: environments refuse it. */
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

/** Names of the environment variables that the stack sets and the functions read, declared once. */
export const environmentNames = [
  'ATTESTATIONS_TABLE',
  'LANES_TABLE',
  'QUEUE_TABLE',
  'ORGANIZATIONS_TABLE',
  'WEBHOOKS_TABLE',
  'ATTEST_STATE_MACHINE_ARN',
  'LANE_STATE_MACHINE_ARN',
  'SIGNING_KEY_ID',
  /** SSM path of the RPC URLs: below it one SecureString per chain id, with one URL per line. */
  'RPC_URLS_PATH',
  'SETTINGS_CHANGES',
  /** Fingerprint of the lane machine's definition. */
  'LANE_DEFINITION',
  'SETTINGS',
  /** The methods of each resource of the API, as JSON. */
  'ROUTES',
  /** Namespace of the stack's metrics in CloudWatch, and the name of the service, a dimension of each: of Powertools. */
  'POWERTOOLS_METRICS_NAMESPACE',
  'POWERTOOLS_SERVICE_NAME',
] as const;

export type Environment = Record<(typeof environmentNames)[number], string>;
