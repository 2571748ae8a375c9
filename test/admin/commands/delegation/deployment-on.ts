import { setTimeout } from 'node:timers/promises';
import type { Address } from 'viem';
import { connectChain } from '../../../../admin/deployment/connect-chain.ts';
import type { RegistryFixture } from '../../../../contracts/test/chain/registry.ts';
import { connectProviders } from '../../../../functions/adapters/chain/providers.ts';
import { viemChain } from '../../../../functions/adapters/chain/viem-chain.ts';
import { type ChainSettings, type Settings, settingsSchema } from '../../../../functions/domain/settings.ts';
import { FakeDeployment } from '../fake-deployment.ts';

/** These limits only end a test that hangs. */
const limits = { timeoutMilliseconds: 120_000, roundTimeoutMilliseconds: 60_000, retries: 0 };

export class DeploymentOnAnvil extends FakeDeployment {
  readonly #rpcUrl: string;
  readonly #registryAddress: Address;
  onWait: (() => Promise<void>) | undefined;

  constructor({ address, chain }: Pick<RegistryFixture, 'address' | 'chain'>) {
    super();
    this.#registryAddress = address;
    this.#rpcUrl = chain.rpcUrl;
  }

  override async settings(): Promise<Settings> {
    const chain = {
      ...{ chainId: 31337, name: 'Local', registryAddress: this.#registryAddress },
      ...{ delegates: this.chainDelegates, blockTimeSeconds: 1, confirmations: 1 },
    };
    return settingsSchema.parse({ chains: [chain] });
  }

  override async chain() {
    return connectChain(await this.#chainSettings(), { urls: [this.#rpcUrl], advice: 'start it' });
  }

  override async services() {
    const services = await super.services();
    const settings = await this.#chainSettings();
    const connect = async () => connectProviders([this.#rpcUrl], settings, limits);
    return { ...services, chain: () => viemChain({ settings, connect, ...limits }) };
  }

  override async wait(): Promise<void> {
    await (this.onWait?.() ?? setTimeout(20));
  }

  async #chainSettings(): Promise<ChainSettings> {
    return (await this.settings()).chains[0] as ChainSettings;
  }
}
