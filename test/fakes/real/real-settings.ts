import type { RpcLimits } from '../../../functions/adapters/chain/transport.ts';
import { type ChainSettings, type Settings, settingsSchema } from '../../../functions/domain/settings.ts';
import type { AwsEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { chainId } from '../world/world.ts';
import type { Contracts } from './real-contracts.ts';

/** Differences of a real world from the usual one. */
export interface RealManner {
  /** Authorities delegate to a forwarder, whose operator the signer is, instead of to the signer. */
  readonly forwarder?: boolean;
  /** False if the registry is to be used as one that takes no batches, as the public one is. */
  readonly batches?: boolean;
  /** There is another registry, with a forwarder of its own, that the settings do not name. */
  readonly newer?: boolean;
  /** Number of RPC providers, each with its own faults; 1 without it. */
  readonly providers?: number;
  /** Time-outs and retries of the adapters' requests to providers. */
  readonly limits?: RpcLimits;
  /** Emulator of this world; without it, the one that the test run shares. */
  readonly emulator?: AwsEndpoint;
}

const ofWorld = ['batches', 'newer', 'providers', 'limits', 'emulator'];
const ofService = ['defaultChainId', 'maxQueuedHours', 'maxBoundHours', 'taskTimeoutSeconds'] as const;

/** Settings of a test: the manner, the chain's settings and the service's, side by side. */
export type RealGiven = RealManner &
  Partial<ChainSettings> &
  Partial<Pick<Settings, (typeof ofService)[number]>>;

export const usualRevealDelaySeconds = 10;

/** Makes the usual settings of a fake world, at these contracts. */
export function settingsOf(given: RealGiven, { registryAddress, forwarderAddress }: Contracts): Settings {
  const { forwarder = false, ...rest } = given;
  const settings = Object.entries(rest).filter(([name]) => !isOfWorld(name));
  const service = Object.fromEntries(settings.filter(([name]) => isOfService(name)));
  const chain = Object.fromEntries(settings.filter(([name]) => !isOfService(name)));
  const base = { chainId, name: 'anvil', registryAddress, confirmations: 3, blockTimeSeconds: 2 };
  const delegates = [forwarder ? forwarderAddress : 'key'];
  const revealDelaySeconds = usualRevealDelaySeconds;
  return settingsSchema.parse({ ...service, chains: [{ ...base, delegates, revealDelaySeconds, ...chain }] });
}

function isOfWorld(name: string): boolean {
  return ofWorld.includes(name);
}

function isOfService(name: string): boolean {
  return ofService.some((one) => one === name);
}
