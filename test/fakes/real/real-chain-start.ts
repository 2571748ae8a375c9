import { parseEther } from 'viem';
import { connectProviders } from '../../../functions/adapters/chain/providers.ts';
import type { RpcLimits } from '../../../functions/adapters/chain/transport.ts';
import { viemChain } from '../../../functions/adapters/chain/viem-chain.ts';
import type { Chain } from '../../../functions/domain/chain.ts';
import type { Signer } from '../../../functions/domain/services.ts';
import type { ChainSettings, Settings } from '../../../functions/domain/settings.ts';
import type { FakeClock } from '../ports/fake-clock.ts';
import { FakeSigner } from '../ports/fake-signer.ts';
import type { Processes } from '../ports/processes.ts';
import { startAnvil } from '../rpc/anvil.ts';
import { requesterAt } from '../rpc/rpc-call.ts';
import { RpcProxy } from '../rpc/rpc-proxy.ts';
import { defaultRevealDelaySeconds, settingsOf } from '../world/world.ts';
import { RealChain } from './real-chain.ts';
import { RealNode } from './real-node.ts';
import { adminKey, type Contracts, deployContracts, type RealWorldOptions } from './real-settings.ts';

/** Keys of the authorities of the two organizations in world.ts. */
const authorityKeys = ['0a', '0b'].map((seed) => `0x${seed.repeat(32)}` as const);

/** Balance of accounts that never run out, in wei. */
export const plenty = parseEther('100000');

export interface StartedChain {
  readonly settings: Settings;
  readonly contracts: Contracts;
  readonly chain: RealChain;
  readonly providers: readonly RpcProxy[];
  readonly nodeUrl: string;
  /** The chain as the service sees it, through the providers. */
  readonly port: Chain;
  stop(): Promise<void>;
}

export interface ChainContext {
  readonly signers: () => readonly Signer[];
  readonly clock: FakeClock;
  readonly processes: Processes;
}

/**
 * Starts an anvil for one world, deploys the contracts, funds all accounts, and starts the providers in front of it.
 */
export async function startRealChain(
  options: RealWorldOptions,
  { signers, clock, processes }: ChainContext,
): Promise<StartedChain> {
  const timestamp = String(clock.now().getTime() / 1000);
  // Anvil enforces EIP-7825's limit, as other nodes do, only with this option.
  const anvil = await startAnvil(['--timestamp', timestamp, '--no-mining', '--enable-tx-gas-limit']);
  const revealDelaySeconds = options.revealDelaySeconds ?? defaultRevealDelaySeconds;
  const contracts = await deployContracts(anvil.url, revealDelaySeconds, options);
  const { forwarder, batches: _, newer: __, providers: count = 1, emulator: ___, ...rest } = options;
  const settings = settingsOf(rest, {
    ...{ name: 'anvil', registryAddress: contracts.registryAddress },
    delegates: [forwarder ? contracts.forwarderAddress : 'key'],
  });
  const [chainSettings] = settings.chains;
  if (!chainSettings) throw new Error('the settings name no chain');
  const request = requesterAt(anvil.url);
  const node = await RealNode.takeOver((method, params) =>
    processes.guard(method, () => request(method, params)),
  );
  const providers = await Promise.all(Array.from({ length: count }, () => startProvider(anvil.url, node)));
  const actors = authorityKeys.map((key) => new FakeSigner(key));
  const chain = new RealChain({
    ...{ node, providers, signers, actors, admin: new FakeSigner(adminKey) },
    direct: chainThrough([anvil.url], chainSettings),
    now: () => clock.now().getTime(),
  });
  for (const { address } of [...signers(), ...actors]) await chain.setBalance(address, plenty);
  return {
    ...{ settings, contracts, chain, providers, nodeUrl: anvil.url },
    port: chainThrough(
      providers.map(({ url }) => url),
      chainSettings,
    ),
    stop: async () => {
      await Promise.all(providers.map((provider) => provider.stop()));
      await anvil.stop();
    },
  };
}

/** Every fault of a provider is an answer or a closed connection, so these limits only end a run that hangs. */
const limits: RpcLimits = { timeoutMilliseconds: 120_000, roundTimeoutMilliseconds: 60_000, retries: 0 };

/** Connects to the chain through these providers, with the service's own adapters. */
export function chainThrough(urls: readonly string[], settings: ChainSettings): Chain {
  const providers = connectProviders(urls, settings, limits);
  const { timeoutMilliseconds } = limits;
  return viemChain({ settings, connect: async () => providers, timeoutMilliseconds });
}

function startProvider(url: string, node: RealNode): Promise<RpcProxy> {
  return RpcProxy.start(url, [
    { fault: { kind: 'answered', by: node.accept }, methods: ['eth_sendRawTransaction'] },
  ]);
}
