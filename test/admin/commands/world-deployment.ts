import type { Address } from 'viem';
import type { Deployment } from '../../../admin/deployment/connect.ts';
import type { ChainView } from '../../../admin/deployment/connect-chain.ts';
import { ssmSettings } from '../../../admin/deployment/settings/ssm-settings.ts';
import { FakeParameters } from '../../fakes/aws/fake-parameters.ts';
import { makeWorld, type World } from '../../fakes/world/world.ts';
import { FakeSignerKeys } from './fake-deployment.ts';

/** A deployment whose lanes work, on a simulated chain; while a command waits, blocks are mined. */
export class WorldDeployment implements Deployment {
  readonly stackName = 'Imprimatur';
  readonly operator = 'ada@desk';
  readonly world: World;
  readonly signerKeys: FakeSignerKeys;
  /** Called each time a command waits, before the block is mined. */
  onWait: (seconds: number) => void = () => {};

  constructor(given: Parameters<typeof makeWorld>[0] = {}) {
    this.world = makeWorld(given);
    this.signerKeys = new FakeSignerKeys(this.world.signers);
  }

  get records() {
    return this.world.records;
  }

  readonly changeable = ssmSettings({
    ssm: new FakeParameters().client,
    ...{ settingsParameter: '/S/settings', rpcUrlsPath: '/S/rpc-urls' },
  });

  now = (): Date => this.world.clock.now();
  settings = async () => this.world.settings;
  services = async () => this.world.services;
  signerAddress = async (): Promise<Address> => this.world.signer.address;

  async chain(): Promise<ChainView> {
    return {
      delegateOf: async () => this.world.delegateAddress,
      nonceOf: async () => null,
      balanceWei: async (address) => (await this.world.chain.feeData(address)).balance,
      transactionCounts: async () => ({ mined: 0, known: 0 }),
    };
  }

  async wait(seconds: number): Promise<void> {
    this.onWait(seconds);
    this.world.mine();
  }
}
