import { v7 as uuidv7 } from 'uuid';
import { type Address, keccak256 } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { connectProviders } from '../../../functions/adapters/chain/providers.ts';
import { viemChain } from '../../../functions/adapters/chain/viem-chain.ts';
import { workflowLimits } from '../../../functions/adapters/compose-services.ts';
import type { Chain, Route } from '../../../functions/domain/chain.ts';
import { laneName, type Queue } from '../../../functions/domain/lane/lane.ts';
import { signedBytes, unsignedBytes } from '../../../functions/domain/raw-transaction.ts';
import type { Records } from '../../../functions/domain/records.ts';
import { batchLimits } from '../../../functions/domain/sending/batch-call.ts';
import type { Executions, Log, Services, Signer } from '../../../functions/domain/services.ts';
import { type ChainSettings, settingsSchema } from '../../../functions/domain/settings.ts';
import { type CountedRecords, countedRecords } from './counted-records.ts';
import { delegateAuthorities } from './delegations.ts';
import { type LaneChain, revealDelaySeconds } from './lane-chain.ts';
import { PartClock } from './part-clock.ts';

/** An organisation that attests, and its authority. */
export interface Publisher {
  readonly organizationId: string;
  readonly authorityAddress: Address;
}

/** A lane for one run, with the services that advance it. */
export interface BenchLane {
  readonly services: Services;
  readonly chain: Chain;
  readonly lane: string;
  readonly queue: Queue;
  readonly publishers: readonly Publisher[];
  /** Greatest number of operations in one transaction. */
  readonly capacity: number;
  readonly clock: PartClock;
  readonly use: CountedRecords['take'];
}

export interface LaneParts {
  readonly laneChain: LaneChain;
  readonly store: Records;
  readonly mode: Route;
  readonly maxInFlight: number;
  /** Confirmations of the chain; 1 by default. */
  readonly confirmations?: number;
  readonly publisherCount: number;
  /** Takes the errors that the lane logs. */
  readonly log: (line: string) => void;
}

/** The bench acts for the state machines itself. */
const noExecutions: Executions = {
  startAttest: async () => 'running',
  startLane: async () => 'running',
  succeed: async () => undefined,
  fail: async () => undefined,
};

/** Warnings concern passing conditions, such as a block that comes while the lane looks. */
function errorLog(log: (line: string) => void): Log {
  return {
    info: () => undefined,
    warn: () => undefined,
    error: (message, error) => log(`the lane reports: ${message}: ${error}`),
  };
}

function settingsOf({ laneChain, mode, maxInFlight, confirmations = 1 }: LaneParts) {
  const { chain, registryAddress, forwarderAddress, blockTimeSeconds } = laneChain;
  const delegate = mode === 'key' ? 'key' : forwarderAddress;
  return settingsSchema.parse({
    chains: [
      {
        ...{ chainId: chain.chainId, name: 'Bench', registryAddress, delegates: [delegate] },
        ...{ confirmations, blockTimeSeconds, revealDelaySeconds, maxInFlight },
        // Full blocks make the base fee climb, which is not measured here.
        maxFeePerGasGwei: 1_000_000,
      },
    ],
  });
}

function connect(rpcUrl: string, settings: ChainSettings): Chain {
  const providers = connectProviders([rpcUrl], settings, workflowLimits);
  const { timeoutMilliseconds } = workflowLimits;
  return viemChain({ settings, connect: async () => providers, timeoutMilliseconds });
}

/** Opens a lane of a new key, to which so many new authorities have delegated. */
export async function openBenchLane(parts: LaneParts): Promise<BenchLane> {
  const { laneChain, store, mode, publisherCount } = parts;
  const { chainId, rpcUrl } = laneChain.chain;
  const signer = localSigner();
  const signerAddress = signer.address;
  const delegateAddress = mode === 'key' ? signerAddress : laneChain.forwarderAddress;
  const authorities = await delegateAuthorities(
    laneChain,
    { signerAddress, delegateAddress },
    publisherCount,
  );
  const settings = settingsOf(parts);
  const clock = new PartClock();
  const counted = countedRecords(store);
  const chain = clock.timed('chain', connect(rpcUrl, settings.chains[0] as ChainSettings));
  const timedSigner = clock.timed('signer', signer);
  return {
    services: {
      ...{ settings, executions: noExecutions, log: errorLog(parts.log) },
      records: clock.timed('store', counted.records),
      now: () => new Date(),
      chain: () => chain,
      signer: async () => timedSigner,
    },
    ...{ chain, clock, use: counted.take },
    lane: laneName(chainId, signerAddress),
    queue: { chainId, delegateAddress },
    publishers: authorities.map((authorityAddress) => ({ organizationId: uuidv7(), authorityAddress })),
    capacity: batchLimits.members,
  };
}

/** Signs with a new key in memory: the duration of KMS does not belong to the lane. */
function localSigner(): Signer {
  const account = privateKeyToAccount(generatePrivateKey());
  return {
    address: account.address,
    async sign(unsigned) {
      const signature = await account.sign({ hash: keccak256(unsignedBytes(unsigned)) });
      return { signature, hash: keccak256(signedBytes(unsigned, signature)) };
    },
  };
}
