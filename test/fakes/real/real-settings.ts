import { deployForwarder } from 'imprimatur-contracts/deploy/deploy-forwarder';
import { deployRegistry } from 'imprimatur-contracts/deploy/deploy-registry';
import { type Address, createTestClient, publicActions, toHex, walletActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { type ChainSettings, type Settings, settingsSchema } from '../../../functions/domain/settings.ts';
import type { AwsEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { anvilChain, anvilTransport } from '../rpc/anvil.ts';
import { chainId } from '../world/world.ts';

const anvilMnemonic = 'test test test test test test test test test test test junk';

/** Account that deploys, and manages the forwarder's operators. */
const admin = mnemonicToAccount(anvilMnemonic);

export const adminKey = toHex(admin.getHdKey().privateKey ?? new Uint8Array());

function connect(url: string) {
  const options = {
    mode: 'anvil',
    chain: anvilChain,
    account: admin,
    cacheTime: 0,
    pollingInterval: 5,
  } as const;
  return createTestClient({ ...options, transport: anvilTransport(url) })
    .extend(publicActions)
    .extend(walletActions);
}

export interface RegistryContracts {
  readonly registryAddress: Address;
  readonly forwarderAddress: Address;
}

export interface Contracts extends RegistryContracts {
  readonly newer?: RegistryContracts;
}

/** Deploys the contracts, in blocks of one second each that anvil mines automatically. */
export async function deployContracts(
  url: string,
  revealDelaySeconds: number,
  { newer = false }: { readonly newer?: boolean } = {},
): Promise<Contracts> {
  const client = connect(url);
  const clients = { publicClient: client, walletClient: client };
  await client.setAutomine(true);
  await client.setBlockTimestampInterval({ interval: 1 });
  const deploy = async (seconds: number): Promise<RegistryContracts> => {
    const registryAddress = await deployRegistry({ ...clients, revealDelaySeconds: seconds });
    const parts = { registry: registryAddress, admin: admin.address };
    return { registryAddress, forwarderAddress: await deployForwarder({ ...clients, ...parts }) };
  };
  const contracts = await deploy(revealDelaySeconds);
  // Its address follows from its reveal delay.
  const another = newer ? { newer: await deploy(revealDelaySeconds - 1) } : {};
  await client.removeBlockTimestampInterval();
  return { ...contracts, ...another };
}

export interface RealManner {
  /** Authorities delegate to a forwarder, whose operator the signer is, instead of to the signer. */
  readonly forwarder?: boolean;
  /** False if the registry is to be used as one that takes no batches, as the public one is. */
  readonly batches?: boolean;
  /** There is another registry, with a forwarder of its own, that the settings do not name. */
  readonly newer?: boolean;
  readonly providers?: number;
  /** Emulator of this world; without it, the one that the test run shares. */
  readonly emulator?: AwsEndpoint;
}

const ofWorld = ['batches', 'newer', 'providers', 'emulator'];
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
