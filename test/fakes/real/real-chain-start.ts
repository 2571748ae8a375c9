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
import { askAt } from '../rpc/rpc-call.ts';
import { RpcProxy } from '../rpc/rpc-proxy.ts';
import { settingsOf, usualRevealDelaySeconds } from '../world/world.ts';
import { RealChain } from './real-chain.ts';
import { RealNode } from './real-node.ts';
import { adminKey, type Contracts, deployContracts, type RealGiven } from './real-settings.ts';

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

export interface Surroundings {
  readonly signers: () => readonly Signer[];
  readonly clock: FakeClock;
  readonly processes: Processes;
}

/** Starts an anvil for one world, with the contracts, funds for all accounts and the providers in front of it. */
export async function startRealChain(
  given: RealGiven,
  { signers, clock, processes }: Surroundings,
): Promise<StartedChain> {
  const timestamp = String(clock.now().getTime() / 1000);
  // Anvil enforces EIP-7825's limit, as other nodes do, only with this option.
  const anvil = await startAnvil(['--timestamp', timestamp, '--no-mining', '--enable-tx-gas-limit']);
  const revealDelaySeconds = given.revealDelaySeconds ?? usualRevealDelaySeconds;
  const contracts = await deployContracts(anvil.url, revealDelaySeconds, given);
  const { forwarder, batches: _, newer: __, providers: count = 1, emulator: ___, ...rest } = given;
  const settings = settingsOf(rest, {
    ...{ name: 'anvil', registryAddress: contracts.registryAddress },
    delegates: [forwarder ? contracts.forwarderAddress : 'key'],
  });
  const [chainSettings] = settings.chains;
  if (!chainSettings) throw new Error('the settings name no chain');
  const ask = askAt(anvil.url);
  const node = await RealNode.takeOver((method, params) =>
    processes.guard(method, () => ask(method, params)),
  );
  const providers = await Promise.all(Array.from({ length: count }, () => provide(anvil.url, node)));
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

/** All servers are local: one that does not answer at once has a fault. */
const promptLimits: RpcLimits = { timeoutMilliseconds: 2_000, totalTimeoutMilliseconds: 1_000, retries: 0 };

/** Makes the chain on the service's own adapters, through these providers. */
export function chainThrough(urls: readonly string[], settings: ChainSettings): Chain {
  const providers = connectProviders(urls, settings, promptLimits);
  const { timeoutMilliseconds } = promptLimits;
  return viemChain({ settings, connect: async () => providers, timeoutMilliseconds });
}

function provide(url: string, node: RealNode): Promise<RpcProxy> {
  return RpcProxy.start(url, [
    { fault: { kind: 'answered', by: node.accept }, methods: ['eth_sendRawTransaction'] },
  ]);
}
