import type { Hash } from 'viem';
import { beforeEach, expect, test } from 'vitest';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../../functions/domain/attestation/content-cid.ts';
import { ChainUnreachableError } from '../../../functions/domain/errors.ts';
import { alice, makeWorld, registryAddress, type World } from '../world/world.ts';
import type { SimulatedChain } from './simulated-chain.ts';
import { SimulatedNode } from './simulated-node.ts';

const digest = contentDigest(parseContent('An article.'));
const { authorityAddress } = alice;

let world: World;
let chain: SimulatedChain;
let other: SimulatedNode;

beforeEach(() => {
  world = makeWorld({ confirmations: 3 });
  chain = world.chain;
  other = new SimulatedNode();
  chain.nodes.push(other);
});

/** Makes the other node answer from now on. */
function askOther(): void {
  chain.answering = (nodes) => nodes.find((node) => node === other);
}

const look = (hashes: readonly Hash[] = [], blockNumbers: readonly number[] = []) =>
  chain.snapshot({ signerAddress: world.signer.address, hashes, blockNumbers });

const indexOf = async () =>
  (await chain.registry.registryState({ registryAddress, digest, authorityAddress })).attestationIndex;

test('a question is answered by one node, as far as that one has heard', async () => {
  chain.attest(authorityAddress, digest);
  other.lagBlocks = 1;
  const attestationIndex = await indexOf();
  expect(attestationIndex).toBe(1);
  askOther();
  expect(await indexOf()).toBe(0);
  // The other node does not have the entry of the index that the first one gave.
  await expect(chain.registry.entry(registryAddress, attestationIndex)).rejects.toThrow(
    ChainUnreachableError,
  );
  expect((await chain.head()).number).toBe(chain.newest.number - 1);
  expect(await chain.atFinal(async ({ block }) => block.number)).toBe(chain.newest.number - 3);
});

test('a node’s head stands still while the chain goes on, and then catches up', async () => {
  askOther();
  const { number } = chain.newest;
  other.standsAt = number;
  world.mine(5);
  expect(await look([], [number, number + 1])).toMatchObject({ head: { number }, finalNumber: number - 2 });
  expect([...(await look([], [number, number + 1])).blockHashes.keys()]).toEqual([number]);
  other.standsAt = number - 1;
  expect((await chain.head()).number).toBe(number - 1);
  other.standsAt = Number.POSITIVE_INFINITY;
  expect((await chain.head()).number).toBe(number + 5);
});

test('what a node calls final stands still, or goes back, under a head that goes on', async () => {
  askOther();
  const { finalNumber } = await look();
  other.finalStandsAt = finalNumber;
  world.mine(4);
  expect(await look()).toMatchObject({ head: { number: chain.newest.number }, finalNumber });
  other.finalStandsAt = finalNumber - 1;
  expect(await chain.atFinal(async ({ block }) => block.number)).toBe(finalNumber - 1);
});

test('a node on a stale fork shows the replaced branch, its receipts and its state', async () => {
  const hash = chain.spendNonce(world.signer.address);
  chain.attest(authorityAddress, digest);
  const { number, hash: staleHash } = chain.newest;
  chain.reorganise(number - (chain.minedWith(hash)?.blockNumber ?? 0) + 1, { drop: true, dropActs: true });
  world.mine();
  expect(await look([hash], [number])).toMatchObject({ minedCount: 0, receipts: new Map() });
  expect(await indexOf()).toBe(0);
  askOther();
  other.isOnStaleFork = true;
  const stale = await look([hash], [number]);
  expect(stale).toMatchObject({
    head: { number },
    minedCount: 1,
    blockHashes: new Map([[number, staleHash]]),
  });
  expect([...stale.receipts.keys()]).toEqual([hash]);
  expect(await indexOf()).toBe(1);
  expect(await chain.registry.entry(registryAddress, 1)).toMatchObject({ revokedAt: 0 });
  other.isOnStaleFork = false;
  expect((await look([hash])).receipts.size).toBe(0);
});

test('of two reorganisations, a node on a stale fork shows the branch that the last one replaced', async () => {
  askOther();
  other.isOnStaleFork = true;
  expect((await chain.head()).number).toBe(chain.newest.number);
  const below = chain.newest.number - 3;
  chain.reorganise(1, { delaySeconds: 1 });
  const { number, hash } = chain.newest;
  chain.reorganise(3, { delaySeconds: 1 });
  const { blockHashes } = await look([], [below, number]);
  expect(blockHashes).toEqual(
    new Map([
      [below, chain.blockAt(below)?.hash],
      [number, hash],
    ]),
  );
  expect(chain.newest.hash).not.toBe(hash);
});

test('a node that prunes receipts finds none of a transaction that its nonces show', async () => {
  askOther();
  other.receiptsKept = 2;
  const hash = chain.spendNonce(world.signer.address);
  world.mine();
  expect((await look([hash])).receipts.size).toBe(1);
  world.mine();
  expect(await look([hash])).toMatchObject({ minedCount: 1, receipts: new Map() });
  chain.answering = ([first]) => first;
  expect((await look([hash])).receipts.size).toBe(1);
});

test('another node answers for one that cannot be reached, unless both are the same', async () => {
  const [first] = chain.nodes;
  if (!first) throw new Error('there is no node');
  first.unreachable = true;
  other.lagBlocks = 1;
  expect((await chain.head()).number).toBe(chain.newest.number - 1);
  chain.nodes[1] = first;
  await expect(chain.head()).rejects.toThrow(ChainUnreachableError);
});
