import { expect, test } from 'vitest';
import { committed, mineAndTick, reveal } from '../../../fakes/world/steps.ts';
import { alice, makeWorld } from '../../../fakes/world/world.ts';

test.each([{ forwarder: false }, { forwarder: true }])(
  'what was mined and did nothing is told with its hash, %o',
  async (mode) => {
    const world = makeWorld(mode);
    const row = await committed(world, alice);
    world.mine(world.chain.settings.revealDelaySeconds);
    await reveal(world, row);
    // Mined before the reveal is.
    world.chain.revokeDelegation(alice.authorityAddress);
    await mineAndTick(world, 10);
    const { hash } = world.chain.receipts().at(-1) ?? {};
    expect(await world.row(row)).toMatchObject({
      status: 'failed',
      revealPhase: 'refused',
      revealTxHash: hash,
    });
    expect(hash).toMatch(/^0x/);
  },
);
