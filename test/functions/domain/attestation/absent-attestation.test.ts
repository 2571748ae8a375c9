import { expect, test } from 'vitest';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import { committing, mineAndTick, stateOf } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../../fakes/world/world.ts';

test.each([0, 2])(
  'an attestation that a backup of the table lacks, gone after %i blocks, holds up no other',
  async (blocks) => {
    const world = makeWorld({ forwarder: true });
    const gone = await committing(world, alice);
    const other = await committing(world, bob);
    await mineAndTick(world, blocks);
    await world.records.update({ key: attestationRow(gone), remove: true });
    await mineAndTick(world, 6);
    expect(await world.row(other)).toMatchObject({ commitPhase: 'final' });
    const { finalNonce, nextNonce } = await stateOf(world);
    expect(finalNonce).toBe(nextNonce);
    expect(world.records.peek(attestationRow(gone))).toBeUndefined();
  },
);
