import { deployForwarder } from 'imprimatur-contracts/deploy/deploy-forwarder';
import { deployRegistry } from 'imprimatur-contracts/deploy/deploy-registry';
import { type Address, createTestClient, publicActions, toHex, walletActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import type { AwsEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { anvilChain, anvilTransport } from '../rpc/anvil.ts';
import type { TestSettings } from '../world/world.ts';

const anvilMnemonic = 'test test test test test test test test test test test junk';

/** Account that deploys contracts and manages the forwarder's operators. */
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
  // Another reveal delay gives the registry another address.
  const another = newer ? { newer: await deploy(revealDelaySeconds - 1) } : {};
  await client.removeBlockTimestampInterval();
  return { ...contracts, ...another };
}

interface RealOptions {
  /** Authorities delegate to a forwarder with the signer as its operator, instead of to the signer. */
  readonly forwarder?: boolean;
  /** If false, the service treats the registry as one without batches, like the public one. */
  readonly batches?: boolean;
  /** Deploys another registry with its own forwarder, which the settings do not name. */
  readonly newer?: boolean;
  readonly providers?: number;
  /** Emulator of this world; without it, the one that the test run shares. */
  readonly emulator?: AwsEndpoint;
}

export type RealWorldOptions = RealOptions & TestSettings;
