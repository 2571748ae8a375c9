import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { serve } from '../fakes/real/served.ts';
import { alice, bob } from '../fakes/world/world.ts';

const deep = 'reorg deeper than confirmations';

test.each([
  { moment: 'during the reveal delay', phase: 'commitPhase', from: 0, forwarder: true },
  { moment: 'after the reveal', phase: 'revealPhase', from: 3, forwarder: false },
] as const)(
  'row 20: transactions undone by a reorg of 5 blocks $moment are mined again as the same bytes',
  async ({ phase, from, forwarder }) => {
    const { world, post, advance, until, finishAndCheck } = await serve({
      ...{ forwarder, confirmations: 8, maxInFlight: 6 },
    });
    const { chain } = world;
    const attestations: Attestation[] = [];
    for (const caller of [alice, bob, alice]) {
      attestations.push((await post(caller, `article ${attestations.length}`)).attestation);
      await advance(chain.settings.blockTimeSeconds);
    }
    const isSeen = async (one: Attestation) => (await world.row(one))[phase] === 'mined';
    await until(async () => (await Promise.all(attestations.map(isSeen))).every((seen) => seen));
    const undone = (await chain.receipts()).slice(from);
    expect(undone.map(({ nonce }) => nonce)).toEqual([from, from + 1, from + 2]);
    await chain.reorganize(5, { drop: true });
    // The authority's own attestation comes first in the new branch and shifts all other indices.
    await chain.attest(bob.authorityAddress, `0x${'ab'.repeat(32)}`);
    await finishAndCheck();
    const again = (await chain.receipts()).slice(from, from + 3);
    expect(again.map(({ raw }) => raw)).toEqual(undone.map(({ raw }) => raw));
    expect(again[0]?.receipt.blockHash).not.toBe(undone[0]?.receipt.blockHash);
    const rows = await Promise.all(attestations.map(world.row));
    expect(rows.map(({ attestationIndex }) => attestationIndex).sort()).toEqual([2, 3, 4]);
  },
);

test.each([{ drop: true }, {}, { remine: true }])(
  'row 37: the second sweep notices a deep reorg of an idle lane, which then matches the chain: %j',
  async (how) => {
    const { world, post, until, finishAndCheck } = await serve({ confirmations: 2 });
    const { chain, log } = world;
    const height = chain.newest.number;
    for (const caller of [alice, bob]) await post(caller, 'An article.');
    await finishAndCheck();
    await chain.reorganize(chain.newest.number - height, how);
    await until(() => log.messages('error').includes(deep), 150);
    await finishAndCheck();
  },
);
