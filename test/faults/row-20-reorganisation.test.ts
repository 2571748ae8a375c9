import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, routes, type Served, serve } from './world/served.ts';

/** Three attestations, with a block for each commit when they are to be as many blocks deep. */
async function postThree({ world, post, pass }: Served, depth: number): Promise<Attestation[]> {
  const attestations: Attestation[] = [];
  for (const caller of [alice, bob, alice]) {
    const { attestation } = await post(caller, `article ${attestations.length}`);
    attestations.push(attestation);
    if (depth > 1) await pass(world.chain.settings.blockTimeSeconds);
  }
  return attestations;
}

/** What is in the newest blocks. */
async function minedSince({ world: { chain } }: Served, depth: number) {
  const receipts = await chain.receipts();
  return receipts.filter(({ receipt }) => receipt.blockNumber > chain.newest.number - depth);
}

const moments = [
  { moment: 'during the reveal delay', phase: 'commitPhase', from: 0 },
  { moment: 'after the reveal', phase: 'revealPhase', from: 3 },
] as const;

const cases = [1, 5].flatMap((depth) =>
  moments.flatMap((one) => routes.map((route) => ({ ...one, depth, route }))),
);

test.each(cases)(
  'row 20: what a reorganisation of $depth $moment undid is mined again as the same bytes: $route',
  async ({ depth, phase, from, route }) => {
    const service = await serve({ ...route, confirmations: 8, maxInFlight: 6 });
    const { world, until, endsByRule } = service;
    const { chain, log } = world;
    const attestations = await postThree(service, depth);
    const isSeen = async (one: Attestation) => (await world.row(one))[phase] === 'mined';
    await until(async () => (await Promise.all(attestations.map(isSeen))).every((seen) => seen));
    const undone = await minedSince(service, depth);
    expect(undone.map(({ nonce }) => nonce)).toEqual([from, from + 1, from + 2]);
    await chain.reorganise(depth, { drop: true });
    // The authority's own comes first in the new branch: all others have other indices there.
    await chain.attest(bob.authorityAddress, `0x${'ab'.repeat(32)}`);
    await endsByRule();
    const again = (await chain.receipts()).slice(from, from + 3);
    expect(again.map(({ raw }) => raw)).toEqual(undone.map(({ raw }) => raw));
    expect(again[0]?.receipt.blockHash).not.toBe(undone[0]?.receipt.blockHash);
    const warnings = log.messages('warn').filter((one) => one === 'transaction undone by a reorganisation');
    expect(warnings).toHaveLength(3);
    const rows = await Promise.all(attestations.map(world.row));
    expect(rows.map(({ attestationIndex }) => attestationIndex).sort()).toEqual([2, 3, 4]);
  },
);

test.each([1, 5].flatMap((depth) => routes.map((route) => ({ depth, route }))))(
  'row 20: a reorganisation of $depth undoes a reveal one block before it is final: $route',
  async (given) => {
    const { depth, route } = given;
    const service = await serve({ ...route, confirmations: depth + 1 });
    const { world, until, endsByRule } = service;
    const { attestation } = await service.post(alice, 'An article.');
    await until(async () => (await world.row(attestation)).revealPhase === 'mined');
    const [, reveal] = await world.chain.receipts();
    const revealedAt = reveal?.receipt.blockNumber ?? 0;
    await until(() => world.chain.newest.number === revealedAt + depth - 1);
    expect((await world.row(attestation)).status).toBe('committed');
    await world.chain.reorganise(depth, { drop: true });
    await endsByRule();
    const [, again] = await world.chain.receipts();
    expect(again?.raw).toBe(reveal?.raw);
  },
);

const deep = [
  { route: {}, how: { drop: true } },
  { route: {}, how: {} },
  { route: { forwarder: true }, how: { drop: true } },
];

test.each(deep)(
  'row 20: a reorganisation deeper than confirmations alarms, and the lane repairs its nonces: %j',
  async ({ route, how }) => {
    const service = await serve({ ...route, confirmations: 2 });
    const { world, post, until, untilTerminal, endsByRule } = service;
    const { chain, log } = world;
    const depthBefore = chain.newest.number;
    const { attestation: first } = await post(alice, 'first');
    expect(await untilTerminal(first)).toBe(true);
    const { attestation: second } = await post(bob, 'second');
    await until(async () => (await world.row(second)).commitPhase === 'final');
    const before = await chain.receipts();
    await chain.reorganise(chain.newest.number - depthBefore, how);
    await chain.attest(bob.authorityAddress, `0x${'ab'.repeat(32)}`);
    await until(() => log.messages('error').includes('reorganisation deeper than confirmations'));
    expect((await laneOf(world)).finalNonce).toBeLessThan(before.length);
    expect((await world.row(first)).status).toBe('confirmed');
    await endsByRule();
    const after = await chain.receipts();
    expect(after.slice(0, before.length).map(({ raw }) => raw)).toEqual(before.map(({ raw }) => raw));
    for (const one of [first, second]) expect((await world.row(one)).status).toBe('confirmed');
  },
);
