import { expect, test } from 'vitest';
import type { Cursor } from '../../../publisher/watching/cursor.ts';
import { ChainWatch, type ToldEvent } from '../../../publisher/watching/watch-chain.ts';
import { EventReader } from '../../../verifier/events/event-reader.ts';
import { hash } from '../../contracts/attest.ts';
import { author, chainId, FakeNode, registry } from './fake-node.ts';

const query = { chainId, authorityAddress: author, registries: [registry] };
const readerOf = (...providers: FakeNode[]) => new EventReader({ ...query, providers });

/** A watch that has read block 800, and what it has told. */
function watchOf(reader: EventReader) {
  const told: ToldEvent[] = [];
  const output = {
    tell: async (events: readonly ToldEvent[]) => void told.push(...events),
    keep: async (_cursor: Cursor) => {},
  };
  const cursor: Cursor = { block: { number: 800, hash: hash(800) }, unfinal: [] };
  const watch = new ChainWatch(reader, cursor, 10, output);
  const states = () => told.map(({ state, event: { block } }) => [state, block.number]);
  return { watch, states };
}

/** One in sync that gives no logs, and one that gives logs and is stuck at block 900. */
function syncedAndStuck(final: number) {
  const [synced, stuck] = [new FakeNode('synced'), new FakeNode('stuck')];
  for (const node of [synced, stuck]) Object.assign(node, { final, delegations: [950] });
  synced.refusesLogs = true;
  stuck.head = 900;
  return { synced, stuck };
}

test('no events of a provider that lacks the blocks are believed, and the cursor stays', async () => {
  const { synced, stuck } = syncedAndStuck(1000);
  const { watch, states } = watchOf(readerOf(synced, stuck));
  await expect(watch.look()).rejects.toThrow('stuck has no block 1000 yet');
  expect(watch.cursor.block.number).toBe(800);
  stuck.head = 1000;
  await watch.look();
  expect(states()).toEqual([['final', 950]]);
});

test('nothing is undone because a provider lacks its block, or its log', async () => {
  const { synced, stuck } = syncedAndStuck(800);
  synced.refusesLogs = false;
  const { watch, states } = watchOf(readerOf(synced, stuck));
  await watch.look();
  synced.refusesLogs = true;
  await expect(watch.look()).rejects.toThrow('no block 1000');
  // Even where the stretch with the event becomes final without its log.
  Object.assign(synced, { refusesLogs: false, delegations: [], final: 1000 });
  await watch.look();
  expect(states()).toEqual([['notFinal', 950]]);
  expect(watch.cursor.unfinal).toEqual([]);
});

test('what is told as not final is kept while no provider has its block, and undone once another is there', async () => {
  const node = Object.assign(new FakeNode('one'), { final: 800, delegations: [950] });
  const { watch, states } = watchOf(readerOf(node));
  await watch.look();
  node.head = 940;
  await watch.look();
  expect(watch.cursor.unfinal).toHaveLength(1);
  Object.assign(node, { head: 1000, final: 1000, delegations: [] });
  node.others.set(950, hash(12_345));
  await watch.look();
  expect(states()).toEqual([
    ['notFinal', 950],
    ['undone', 950],
  ]);
});

test('a provider with another last block than the one that is meant is passed over', async () => {
  const [forked, good] = [new FakeNode('forked'), new FakeNode('good')];
  good.delegations = [950];
  forked.others.set(1000, hash(12_345));
  expect(await readerOf(forked, good).events(801, 1000, hash(1000))).toHaveLength(1);
});
