import fc from 'fast-check';
import { registryDeployment } from 'imprimatur-contracts/deploy/registry-deployment';
import type { AttestationReference, RpcEndpoint, Verdict } from 'imprimatur-verifier';
import { type Address, type Hex, sha256, toHex } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { quoteVectors, vectorText } from '../../../test/functions/domain/attestation/vectors.ts';
import { cidOfDigest } from '../../verifier/src/reference/content-cid.ts';
import { verifyByBoth } from '../../verifier/test/both-verifiers.ts';
import {
  FakeChain,
  type FakeEntry,
  FakeNode,
  FakeRpcError,
  type FakeTraits,
} from '../../verifier/test/fake-node.ts';

const text = 'An article.\n';
const digest = sha256(new TextEncoder().encode(text));
const [author, other]: [Address, Address] = [
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
];

const wordOf = (number: number): Hex => toHex(number, { size: 32 });

let chain: FakeChain;
let reference: AttestationReference;
beforeEach(() => {
  chain = new FakeChain();
  chain.attest({ digest: sha256('0x01'), authority: author });
  const { chainId, registryAddress } = chain;
  const attestationIndex = chain.attest({ digest, authority: author });
  const contentCid = cidOfDigest(digest);
  reference = { chainId, registryAddress, attestationIndex, authorityAddress: author, contentCid };
  chain.mine(10);
});

const node = (traits: FakeTraits = {}) => new FakeNode(chain, traits);
const judged = (...providers: RpcEndpoint[]): Promise<Verdict> =>
  verifyByBoth(reference, { providers, text });
const outcomeOf = async (...providers: RpcEndpoint[]) => (await judged(...providers)).outcome;
const down = 'http://127.0.0.1:1/secret-key';

/** Code with 61 seconds at the last place of the delay, and 60 at the others. */
function withTwoDelays(code: Hex): Hex {
  const at = code.lastIndexOf(wordOf(60).slice(2));
  return `0x${code.slice(2, at)}${wordOf(61).slice(2)}${code.slice(at + 64)}`;
}

test.each<[string, FakeTraits]>([
  ['that lags', { lag: 3 }],
  ['from before the attestation', { lag: 11 }],
  ['that takes no hashes', { pins: false }],
  ['without a final block', { finalDepth: null }],
  ['with the reveal in the final block', { finalDepth: 10 }],
  ['with the reveal below the final block', { finalDepth: 9 }],
  ['of another chain', { chainId: 1 }],
  ['without the contract', { code: '0x' }],
  ['with other code', { code: '0x00' }],
  ['with a byte more of code', { code: `${registryDeployment(60).runtimeCode}00` }],
  ['with two delays in the code', { code: withTwoDelays(registryDeployment(60).runtimeCode) }],
  ['with another delay in the code', { code: registryDeployment(61).runtimeCode }],
])('a node %s is judged alike, alone and beside others', async (_, traits) => {
  await judged(node(traits));
  await judged(node(), node(traits));
  await judged(node(), node(traits), node());
});

test('providers that are down are counted alike', async () => {
  expect(await outcomeOf(down)).toBe('unknown');
  expect(await outcomeOf(node(), down)).toBe('unknown');
  expect(await outcomeOf(node(), down, node())).toBe('verified');
});

test.each([true, false])(
  'an index above the last one is judged alike (zeros there: %s)',
  async (zerosAbove) => {
    reference = { ...reference, attestationIndex: 99 };
    expect(await outcomeOf(node({ zerosAbove }))).toBe('notFound');
  },
);

type Question = Parameters<FakeNode['request']>[0];

/** A node whose answers to some questions are these. */
function answering(matches: (question: Question) => boolean, answer: () => unknown): RpcEndpoint {
  const behind = node();
  return {
    request: async (question: Question) => (matches(question) ? answer() : behind.request(question)),
  };
}

const refuse = (code: number, message: string, data?: unknown) => () => {
  throw new FakeRpcError(code, message, data);
};
const answers: readonly [string, () => unknown][] = [
  ['a refusal', refuse(-32_000, 'header not found')],
  ['an error without sense', refuse(-32_000, 'failed', { message: ['reverted'] })],
  ['a revert', refuse(3, 'execution reverted', '0x')],
  ['a revert in the data', refuse(-32_603, 'Internal error', { code: 3, message: 'execution reverted' })],
  ['null', () => null],
  ['a number', () => 7],
  ['words', () => 'busy'],
  ['an odd object', () => ({ number: '0x', hash: '0x12', timestamp: null })],
  ['a number without end', () => `0x${'f'.repeat(64)}`],
  ['bytes of no use', () => '0x12'],
  ['half a byte', () => '0x600'],
  ['no bytes', () => '0x'],
];

describe.each(['eth_chainId', 'eth_getBlockByNumber', 'eth_getCode', 'eth_call'])('at every %s', (method) => {
  test.each(answers)('%s is judged alike', async (_, answer) => {
    await judged(answering((question) => question.method === method, answer));
  });
});

const calls = { attestations: '0x01daf26b', byAuthority: '0xa1edc0c7', first: '0x67c5ba08' };
const isCall = (data: string) => (question: Question) =>
  JSON.stringify(question.params[0] ?? '').includes(data) && question.method === 'eth_call';

test.each(Object.entries(calls))(
  'a provider whose %s are numbers without end has not answered',
  async (_, call) => {
    const endless = answering(isCall(call), () => `0x${'f'.repeat(7 * 64)}`);
    expect(await outcomeOf(node(), endless, node())).toBe('verified');
    expect(await outcomeOf(endless)).toBe('unknown');
  },
);

test.each([
  ['an entry that is not found by its content', calls.byAuthority, 0],
  ['an index that leads to something else', calls.byAuthority, 1],
  ['a first attestation of another content', calls.first, 1],
  ['an index without end', calls.byAuthority, 2 ** 52],
  ['an entry too short', calls.attestations, 5],
])('%s is judged alike', async (_, call, number) => {
  const lying = answering(isCall(call), () => wordOf(number));
  expect(await outcomeOf(lying)).toBe('unknown');
  expect(await outcomeOf(node(), lying, node())).toBe('verified');
});

test('a child that leads to something else is judged alike', async () => {
  const child = sha256('0x02');
  chain.attest({ digest: child, authority: author });
  chain.change(2, { child });
  expect(await outcomeOf(node())).toBe('superseded');
  const lying = answering(isCall(`${calls.byAuthority}${child.slice(2)}`), () => wordOf(1));
  expect(await outcomeOf(lying)).toBe('unknown');
});

test('a contradiction that passes is judged alike', async () => {
  let looks = 0;
  const atOddLooks = (question: Question) => {
    if (question.params[0] === 'latest') looks++;
    return looks % 2 === 1 && isCall(calls.byAuthority)(question);
  };
  expect(await outcomeOf(answering(atOddLooks, () => wordOf(0)))).toBe('verified');
});

test('a quote root as public tools make it is judged alike', async () => {
  const vector = quoteVectors.vectors.find(({ qvRoot, naive46Root }) => qvRoot !== naive46Root);
  if (!vector) throw new Error('there is no such vector');
  const article = vectorText(vector);
  const digest = sha256(new TextEncoder().encode(article));
  const contentCid = cidOfDigest(digest);
  for (const [authorityAddress, quoteRoot, quoteRootHolds] of [
    [author, vector.naive46Root as Hex, true],
    [other, sha256('0x03'), false],
  ] as const) {
    const attestationIndex = chain.attest({ digest, authority: authorityAddress, quoteRoot });
    const claimed = { ...reference, attestationIndex, authorityAddress, contentCid };
    const verdict = await verifyByBoth(claimed, { providers: [node()], text: article });
    expect(verdict).toMatchObject({ outcome: 'verified', quoteRootHolds });
  }
});

test('a refusal of an entry above the last is no absence of it, a revert is', async () => {
  reference = { ...reference, attestationIndex: 99 };
  const answeringEntry = (answer: () => unknown) => answering(isCall(calls.attestations), answer);
  for (const refusal of [
    refuse(-32_005, 'limit exceeded'),
    refuse(-32_000, 'failed', { message: ['reverted'] }),
    refuse(-32_000, 'failed', '0x'),
  ])
    expect(await outcomeOf(answeringEntry(refusal))).toBe('unknown');
  const inner = { code: 3, message: 'execution reverted' };
  for (const revert of [refuse(3, 'failed'), refuse(-32_603, 'Internal JSON-RPC error.', inner)])
    expect(await outcomeOf(answeringEntry(revert))).toBe('notFound');
});

test('a provider whose block is another at the end is judged alike', async () => {
  const isByNumber = ({ method, params }: Question) =>
    method === 'eth_getBlockByNumber' && String(params[0]).startsWith('0x');
  const { number = 0, timestamp = 0 } = chain.blocks.at(-1) ?? {};
  const restless = { number: toHex(number), timestamp: toHex(timestamp), hash: sha256('0x02') };
  expect(await outcomeOf(answering(isByNumber, () => restless))).toBe('unknown');
});

test('the address of the public deployment on another chain is judged alike', async () => {
  const { chainId } = reference;
  chain = new FakeChain(chainId + 1, '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381');
  reference = { ...reference, chainId: chainId + 1, registryAddress: chain.registryAddress };
  expect(await outcomeOf(node())).toBe('unknown');
});

test('the public deployment is judged alike', async () => {
  chain = new FakeChain(1, '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381');
  chain.attest({ digest, authority: other });
  chain.attest({ digest, authority: author });
  reference = { ...reference, chainId: 1, registryAddress: chain.registryAddress };
  expect(await outcomeOf(node({ code: '0x00', zerosAbove: true }))).toBe('verified');
});

const small = fc.nat(3).map((number): Hex => sha256(toHex(number)));
const entries: fc.Arbitrary<FakeEntry[]> = fc.uniqueArray(
  fc.record(
    {
      digest: small,
      authority: fc.constantFrom(author, other),
      child: small,
      revokedAt: fc.constant(1_800_000_100),
    },
    { requiredKeys: ['digest', 'authority'] },
  ),
  { minLength: 1, maxLength: 8, selector: ({ digest, authority }) => digest + authority },
);

const one: FakeEntry = { digest: sha256('0x00'), authority: author };
/** One of each outcome: random ones do not always have all. */
const examples: [FakeEntry[], number, boolean, boolean][] = [
  [[one], 0, false, false],
  [[one], 0, true, false],
  [[one], 0, false, true],
  [[{ ...one, revokedAt: 1_800_000_100 }], 0, false, false],
  [[{ ...one, child: sha256('0x01') }], 0, false, false],
];

test('registries of any content are judged alike', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.nat(8),
      fc.boolean(),
      fc.boolean(),
      async (list, index, shift, isAltered) => {
        chain = new FakeChain();
        for (const entry of list) chain.attest(entry);
        const { digest, authority } = list[index % list.length] ?? { digest: '0x', authority: author };
        const attestationIndex = (index % list.length) + (shift ? 2 : 1);
        reference = {
          ...reference,
          attestationIndex,
          authorityAddress: authority,
          contentCid: cidOfDigest(digest),
        };
        // No text is at hand whose digest is one of these; a byte is, by its number.
        const number = [0, 1, 2, 3].find((one) => sha256(toHex(one)) === digest) ?? 0;
        const content = isAltered ? 'altered' : Uint8Array.of(number);
        outcomes.add((await verifyByBoth(reference, { providers: [node()], text: content })).outcome);
      },
    ),
    { numRuns: 30, examples },
  );
  expect(outcomes).toEqual(new Set(['notFound', 'altered', 'revoked', 'superseded', 'verified']));
});
