import type { Address } from 'viem';
import { makeWorld, type World } from '../../fakes/world/world.ts';
import { FakeDeployment } from './fake-deployment.ts';

/** A deployment on a simulated chain, which mines a block whenever a command waits. */
export class WorldDeployment extends FakeDeployment {
  readonly world: World;
  /** Called each time a command waits, before the block is mined. */
  onWait: (seconds: number) => void = () => {};

  constructor(given: Parameters<typeof makeWorld>[0] = {}) {
    const world = makeWorld(given);
    super(world.records, world.signers);
    this.world = world;
    this.now = () => world.clock.now();
  }

  override async settings() {
    return this.world.settings;
  }

  override async services() {
    return this.world.services;
  }

  override async signerAddress(): Promise<Address> {
    return this.world.signer.address;
  }

  override async wait(seconds: number): Promise<void> {
    this.onWait(seconds);
    this.world.mine();
  }
}
