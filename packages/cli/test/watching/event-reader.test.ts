import { expect, test, vi } from 'vitest';
import { hash } from '../../../../contracts/test/chain/attest.ts';
import { EventReader } from '../../../verifier/src/events/event-reader.ts';
import type { Address } from '../../../verifier/src/hex.ts';
import type { Cursor } from '../../src/watching/cursor.ts';
import { type ReportedEvent, ReportedEvents } from '../../src/watching/reported-events.ts';
import { Watch } from '../../src/watching/watch.ts';
import { author, chainId, FakeNode, stranger } from './fake-node.ts';

const query = { chainId, authorityAddress: author };
const readerWithTimeout = (node: FakeNode, timeoutMilliseconds: number) =>
  new EventReader({ ...query, providers: [node], timeoutMilliseconds });
const readerOf = (...providers: FakeNode[]) => new EventReader({ ...query, providers });

/** Does the work in simulated time, so that a request on a busy machine does not reach its time limit. */
async function inSimulatedTime<Result>(work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers();
  try {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    const result = work();
    result.then(done, done);
    while (!isDone) await vi.advanceTimersByTimeAsync(1);
    return await result;
  } finally {
    vi.useRealTimers();
  }
}

/** A watch that has read up to block 800, and what it reports. */
function watchOf(reader: EventReader) {
  const reported: ReportedEvent[] = [];
  const stored: Cursor[] = [];
  const watch = new Watch({
    target: { chainId, authority: author, registries: undefined },
    ...{ reader, unwatched: undefined, classifier: undefined, finalDepth: 10 },
    cursor: { block: { number: 800, hash: hash(800) }, provisional: [] },
    file: { write: async ({ cursor }) => void stored.push(cursor) },
    reporter: new ReportedEvents(undefined, undefined, (event) => reported.push(event)),
  });
  const states = () => reported.map(({ state, event: { block } }) => [state, block.number]);
  return { watch, states, stored };
}

/** A node in sync that refuses log requests, and one with logs that is stuck at block 900. */
function syncedAndStuck(final: number) {
  const [synced, stuck] = [new FakeNode('synced'), new FakeNode('stuck')];
  for (const node of [synced, stuck]) Object.assign(node, { final, delegations: [950] });
  synced.refusesLogs = true;
  stuck.head = 900;
  return { synced, stuck };
}

test('events from a provider that lacks blocks are ignored, and the cursor stays', async () => {
  const { synced, stuck } = syncedAndStuck(1000);
  const { watch, states } = watchOf(readerOf(synced, stuck));
  await expect(watch.check()).rejects.toThrow('stuck has no block 1000 yet');
  expect(watch.cursor.block.number).toBe(800);
  stuck.head = 1000;
  await watch.check();
  expect(states()).toEqual([['final', 950]]);
});

test('a missing block or log does not undo an event', async () => {
  const { synced, stuck } = syncedAndStuck(800);
  synced.refusesLogs = false;
  const { watch, states } = watchOf(readerOf(synced, stuck));
  await watch.check();
  synced.refusesLogs = true;
  await expect(watch.check()).rejects.toThrow('no block 1000');
  // Even if the block becomes final without the log.
  Object.assign(synced, { refusesLogs: false, delegations: [], final: 1000 });
  await watch.check();
  expect(states()).toEqual([['notFinal', 950]]);
  expect(watch.cursor.provisional).toEqual([]);
});

test('an event that is not final stays while its block is missing, and is undone when another block replaces it', async () => {
  const node = Object.assign(new FakeNode('one'), { final: 800, delegations: [950] });
  const { watch, states } = watchOf(readerOf(node));
  await watch.check();
  node.head = 940;
  await watch.check();
  expect(watch.cursor.provisional).toHaveLength(1);
  // The other block also contains the event, which is reported as new.
  Object.assign(node, { head: 1000, final: 1000 });
  node.replacedHashes.set(950, hash(12_345));
  await watch.check();
  expect(states()).toEqual([
    ['notFinal', 950],
    ['final', 950],
    ['undone', 950],
  ]);
});

test('a provider with a different last block is skipped', async () => {
  const [forked, good] = [new FakeNode('forked'), new FakeNode('good')];
  good.delegations = [950];
  forked.replacedHashes.set(1000, hash(12_345));
  const { events, end } = await readerOf(forked, good).events(801, 1000, hash(1000));
  expect([events.length, end.number]).toEqual([1, 1000]);
});

const callsOf = ({ methods }: FakeNode) => methods.filter((method) => method === 'eth_call').length;

test('1,500 foreign links in one block are read with limited concurrency and a time limit for each request', async () => {
  const links = Array.from({ length: 1500 }, (_, index) => ({ block: 900, index: index + 1 }));
  const node = Object.assign(new FakeNode('one'), { final: 1000, callMs: 12, links, delegations: [950] });
  const { watch, states } = watchOf(readerWithTimeout(node, 1500));
  await inSimulatedTime(() => watch.check());
  expect(states()).toEqual([['final', 950]]);
  expect(callsOf(node)).toBe(1500);
  expect(node.maxCallsSeen).toBeGreaterThan(1);
  expect(node.maxCallsSeen).toBeLessThanOrEqual(8);
});

test('the authority of an attestation is read once for all events about it', async () => {
  const links = Array.from({ length: 200 }, (_, at) => ({ block: 801 + (at % 100), index: 1 + (at % 3) }));
  const node = Object.assign(new FakeNode('one'), { links });
  expect((await readerOf(node).events(801, 1000)).events).toEqual([]);
  expect(callsOf(node)).toBe(3);
});

test('a failed check resumes after the last final block that was read', async () => {
  const links = Array.from({ length: 1200 }, (_, at) => ({
    block: 801 + Math.floor(at / 10),
    index: at + 1,
  }));
  const node = Object.assign(new FakeNode('one'), { final: 1000, links, callsLeft: 1100 });
  const { watch } = watchOf(readerOf(node));
  await expect(watch.check()).rejects.toThrow('no provider answered');
  expect(watch.cursor.block).toEqual({ number: 900, hash: hash(900) });
  node.callsLeft = 200;
  await watch.check();
  expect(watch.cursor.block.number).toBe(1000);
});

test.each([
  ['arrive too late', { logsMs: 3000 }],
  ['are refused for more than one block', { maxBlocks: 1 }],
])('logs that %s are requested in halves', async (_, traits) => {
  const node = Object.assign(new FakeNode('one'), { ...traits, delegations: [805, 835] });
  const { events } = await inSimulatedTime(() => readerWithTimeout(node, 1000).events(801, 840));
  expect(events.map(({ block }) => block.number)).toEqual([805, 835]);
});

/** A node with a delegation, and this many contracts that imitate its event. */
function nodeWithImitators(count: number) {
  const imitators = Array.from(
    { length: count },
    (_, at): Address => `0x${String(at + 1).padStart(40, '0')}`,
  );
  return Object.assign(new FakeNode('one'), { final: 1000, delegations: [950], imitators });
}
const codeRequests = ({ methods }: FakeNode) => methods.filter((method) => method === 'eth_getCode').length;

test.each([
  ['have other code', '0x00'],
  ['have destroyed themselves', '0x'],
] as const)(
  '150 contracts that imitate an event and %s cost one request each, and hide no event',
  async (_, code) => {
    const node = nodeWithImitators(150);
    Object.assign(node, { final: 800, imitators: [...node.imitators, ...node.imitators] });
    node.imitatorCode = () => code;
    const { watch, states } = watchOf(readerOf(node));
    await watch.check();
    await watch.check();
    expect(states()).toEqual([['notFinal', 950]]);
    expect(codeRequests(node)).toBe(151);
  },
);

test('a contract whose code cannot be read is not ignored; the check is repeated', async () => {
  const node = nodeWithImitators(1);
  node.imitatorCode = () => {
    throw { code: -32_005, message: 'too many requests' };
  };
  const { watch, states } = watchOf(readerOf(node));
  await expect(watch.check()).rejects.toThrow('no provider answered');
  expect([watch.cursor.block.number, states()]).toEqual([800, []]);
  node.imitatorCode = () => '0x00';
  await watch.check();
  expect(states()).toEqual([['final', 950]]);
});

test('a contract without code counts as destroyed, unless the node lacks the block of its log', async () => {
  const node = nodeWithImitators(1);
  node.imitatorCode = () => '0x';
  const { watch, states } = watchOf(readerOf(node));
  node.override = ({ method, params: [tag] }) => {
    const isNewest = method === 'eth_getBlockByNumber' && tag === 'latest';
    return isNewest && node.methods.includes('eth_getLogs')
      ? node.request({ method, params: ['0x37a'] })
      : undefined;
  };
  await expect(watch.check()).rejects.toThrow('has no block 900 yet');
  node.override = () => undefined;
  await watch.check();
  expect(states()).toEqual([['final', 950]]);
});

test('a node that does not support block hashes is queried by number', async () => {
  const node = Object.assign(new FakeNode('one'), { links: [{ block: 900, index: 1 }] });
  node.override = ({ method, params }) => {
    if (typeof params.at(-1) === 'object' && method !== 'eth_getLogs')
      throw { code: -32_602, message: 'invalid argument 1: cannot unmarshal object' };
  };
  const reader = readerOf(node);
  for (const order of ['the code of the contract first', 'the attestation first'])
    expect([order, (await reader.events(801, 1000)).events]).toEqual([order, []]);
});

test('only the given registries are queried', async () => {
  const node = nodeWithImitators(0);
  const filters: unknown[] = [];
  node.override = ({ method, params }) => {
    if (method === 'eth_getLogs') filters.push(...params);
  };
  await new EventReader({ ...query, providers: [node], registries: [stranger] }).events(801, 900);
  await readerOf(node).events(801, 900);
  expect(filters).toMatchObject([{ address: [stranger] }, { address: [stranger] }, {}, {}]);
  expect(filters[2]).not.toHaveProperty('address');
});

test('a reported event is stored before more is read, so a failure does not report it again', async () => {
  const node = Object.assign(new FakeNode('one'), { head: 30_000, delegations: [950, 25_000] });
  const { watch, states, stored } = watchOf(readerOf(node));
  node.override = ({ params: [filter] }) => {
    if (Number((filter as { fromBlock?: string })?.fromBlock) > 10_800) throw { code: -32_005 };
  };
  await expect(watch.check()).rejects.toThrow('no provider answered');
  expect(states()).toEqual([['notFinal', 950]]);
  expect(stored.at(-1)?.provisional).toHaveLength(1);
});

test('an undone event is reported once, even if the next block cannot be read', async () => {
  const node = Object.assign(new FakeNode('one'), { delegations: [950, 960] });
  const { watch, states, stored } = watchOf(readerOf(node));
  await watch.check();
  Object.assign(node, { delegations: [] });
  for (const block of [950, 960]) node.replacedHashes.set(block, hash(block + 5));
  node.override = ({ params: [block] }) => {
    if (Number(block) === 960) throw { code: -32_005 };
  };
  await expect(watch.check()).rejects.toThrow('no provider answered');
  expect(stored.at(-1)?.provisional.map(({ block }) => block.number)).toEqual([960]);
  node.override = () => undefined;
  await watch.check();
  expect(states().slice(2)).toEqual([
    ['undone', 950],
    ['undone', 960],
  ]);
});

const receipt = { blockNumber: '0x5', logs: [{ logIndex: '0x1' }] };
const withReceipt = (name: string, answer: () => unknown) => ({
  name,
  request: async ({ method }: { readonly method: string }) =>
    method === 'eth_chainId' ? '0x7a69' : answer(),
});
const complete = withReceipt('complete', () => receipt);
const pruned = withReceipt('pruned', () => null);
const refuses = withReceipt('refuses', () => {
  throw { code: -32_000, message: 'transaction indexing is in progress' };
});
const withoutLogs = withReceipt('without logs', () => ({ ...receipt, logs: [] }));

test.each([
  ['lacks', pruned],
  ['refuses', refuses],
  ['returns without logs', withoutLogs],
])('if one provider %s a receipt, the next one is queried', async (_, first) => {
  const positionFrom = (...providers: readonly (typeof first)[]) =>
    new EventReader({ ...query, providers }).positionOf(hash(1));
  expect(await positionFrom(first, complete)).toEqual({ blockNumber: 5, logIndex: 1 });
  expect(await positionFrom(complete, first)).toEqual({ blockNumber: 5, logIndex: 1 });
  expect(await positionFrom(first, pruned)).toBeUndefined();
});
