import { type Address, type Hex, sha256, toHex } from 'viem';
import { beforeEach, expect, test } from 'vitest';
import { cidOfDigest } from '../../src/reference/content-cid.ts';
import type { RpcEndpoint, Verdict } from '../../src/verifier.ts';
import { verifyByBoth } from '../both-verifiers.ts';
import { FakeChain, FakeNode } from '../fake-node.ts';
import { referenceTo } from '../quote/quotable.ts';

const author: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const other: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const article = (number: number): Hex => sha256(toHex(number));
const cid = (number: number): string => cidOfDigest(article(number));

let chain: FakeChain;
beforeEach(() => {
  chain = new FakeChain();
});

/** Attests articles from 1 to this number, each with the next as its child. @param child of the last one */
function attestSeries(length: number, child?: number): void {
  for (let number = 1; number <= length; number++) {
    const next = number < length ? number + 1 : child;
    chain.attest({ digest: article(number), authority: author, ...(next && { child: article(next) }) });
  }
}

const reference = { ...referenceTo('The first.'), contentCid: cid(1) };
const judgeFirst = (): Promise<Verdict> => verifyByBoth(reference, { providers: [new FakeNode(chain)] });

const followedIn = ({ corrections }: Verdict) => corrections?.followed.map(({ contentCid }) => contentCid);

test('`verify` follows corrections to the newest', async () => {
  attestSeries(4);
  const verdict = await judgeFirst();
  expect(followedIn(verdict)).toEqual([cid(2), cid(3), cid(4)]);
  expect(verdict).toMatchObject({ outcome: 'superseded', corrections: { end: 'newest' }, notices: [] });
  expect(verdict.corrections).not.toHaveProperty('unfollowedCid');
  expect(verdict.reason).toContain(`the newest version found is ${cid(4)}`);
});

type Case = [name: string, attest: () => void, followed: number[], corrections: object, words: string];

test.each<Case>([
  ['at a loop of one', () => attestSeries(1, 1), [], { end: 'loop', unfollowedCid: cid(1) }, 'loop'],
  ['at a loop of three', () => attestSeries(3, 1), [2, 3], { end: 'loop', unfollowedCid: cid(1) }, 'loop'],
  [
    'at a loop that excludes the first attestation',
    () => attestSeries(4, 3),
    [2, 3, 4],
    { end: 'loop', unfollowedCid: cid(3) },
    'loop',
  ],
  ['before a correction that nobody attested', () => attestSeries(1, 9), [], { end: 'missing' }, 'not valid'],
  [
    'before a correction of another authority',
    () => {
      attestSeries(1, 2);
      chain.attest({ digest: article(2), authority: other, child: article(3) });
      chain.attest({ digest: article(3), authority: author });
    },
    [],
    { end: 'foreign', unfollowedCid: cid(2) },
    '',
  ],
  [
    'before a revoked correction',
    () => {
      attestSeries(4);
      chain.change(3, { revokedAt: 1_800_000_100 });
    },
    [2],
    { end: 'revoked', unfollowedCid: cid(3) },
    '',
  ],
])('`verify` stops %s', async (_, attest, followed, corrections, words) => {
  attest();
  const verdict = await judgeFirst();
  expect(followedIn(verdict)).toEqual(followed.map(cid));
  expect(verdict).toMatchObject({ outcome: 'superseded', corrections });
  expect([verdict.reason, ...verdict.notices].join()).toContain(words);
});

test('`verify` follows a correction that another authority attested first', async () => {
  chain.attest({ digest: article(1), authority: author, child: article(2) });
  chain.attest({ digest: article(2), authority: other });
  chain.attest({ digest: article(2), authority: author });
  const verdict = await judgeFirst();
  expect(verdict.corrections).toMatchObject({ followed: [{ attestationIndex: 3 }], end: 'newest' });
});

test('`verify` follows the corrections of a revoked attestation', async () => {
  attestSeries(2);
  chain.change(1, { revokedAt: 1_800_000_100 });
  const verdict = await judgeFirst();
  expect([verdict.outcome, followedIn(verdict)]).toEqual(['revoked', [cid(2)]]);
});

test.each([
  [101, 100, 'newest'],
  [102, 100, 'limit'],
])(
  '`verify` follows at most 100 corrections of a text: %i attestations, %i corrections followed',
  async (length, count, end) => {
    attestSeries(length);
    const verdict = await judgeFirst();
    expect([followedIn(verdict)?.length, verdict.corrections?.end]).toEqual([count, end]);
  },
);

/** A node with the registries of two chains that are alike block by block. */
function nodeOfBoth(first: FakeChain, second: FakeChain): RpcEndpoint {
  const [firstNode, other] = [new FakeNode(first), new FakeNode(second, { code: '0x00' })];
  const isOfSecond = (question: object) =>
    JSON.stringify(question).toLowerCase().includes(second.registryAddress.toLowerCase());
  return {
    name: 'a node of both',
    request: (question: never) => (isOfSecond(question) ? other : firstNode).request(question),
  };
}

test('`verify` reports a correction in the public deployment', async () => {
  chain = new FakeChain(1);
  const elsewhere = new FakeChain(1, '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381');
  attestSeries(1);
  chain.change(1, { child: article(2) });
  elsewhere.mine(1);
  elsewhere.attest({ digest: article(2), authority: author });
  for (const each of [chain, elsewhere]) each.mine(10 - each.blocks.length);
  const providers = [nodeOfBoth(chain, elsewhere)];
  const verdict = await verifyByBoth({ ...reference, chainId: 1 }, { providers });
  expect(verdict).toMatchObject({
    outcome: 'superseded',
    corrections: { followed: [{ registryAddress: elsewhere.registryAddress }], end: 'newest' },
    registry: { codeIsKnown: true },
    notices: [
      expect.stringMatching(
        /^The registry of a correction is recognized by its address .* code is not compared/,
      ),
    ],
  });
});
