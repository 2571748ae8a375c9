import { type Hex, sha256, toHex } from 'viem';
import { beforeEach, expect, test } from 'vitest';
import { presentText } from '../../src/command/present.ts';
import { publicQuoteTreeOf, quoteTreeOf } from '../../src/text/quote-tree.ts';
import {
  type AttestationReference,
  AttestedText,
  type QuoteProof,
  QuoteProofInvalidError,
  type QuoteVerdict,
  verifyQuote,
} from '../../src/verifier.ts';
import { verifyQuoteByBoth } from '../both-verifiers.ts';
import { FakeChain, FakeNode, type FakeTraits } from '../fake-node.ts';
import { referenceTo } from './quotable.ts';

const speech = `${'We have known it since spring. '.repeat(4)}Nobody 😀 asked.`;
const passage = 'since spring. We have known it';

const digestOf = (text: string): Hex => sha256(toHex(text));
const rootOf = (text: string): Hex => quoteTreeOf(text).root ?? '0x';

let chain: FakeChain;
let reference: AttestationReference;
let quote: QuoteProof;
beforeEach(() => {
  chain = new FakeChain();
  reference = attest(speech);
  quote = new AttestedText(reference, speech, rootOf(speech)).quote(passage);
  chain.mine(5);
});

/** Attests a text with the quote root of it or of another. */
function attest(text: string, quoteRoot = rootOf(text)): AttestationReference {
  const { authorityAddress: authority, ...rest } = referenceTo(text);
  const attestationIndex = chain.attest({ digest: digestOf(text), authority, quoteRoot });
  return { ...rest, authorityAddress: authority, attestationIndex };
}

const judge = (proof: Partial<QuoteProof>, traits?: FakeTraits): Promise<QuoteVerdict> =>
  verifyQuoteByBoth(JSON.stringify(proof), { providers: [new FakeNode(chain, traits)] });

test('`verifyQuote` verifies a quote without the text, and explains what that proves', async () => {
  const verdict = await judge(quote);
  expect(verdict).toMatchObject({
    outcome: 'verified',
    reference,
    quote,
    quoteRootHolds: true,
    text: undefined,
  });
  expect(verdict.notices).toEqual([expect.stringContaining('stated the passage in attestation 1')]);
});

test('`verifyQuote` reports omissions', async () => {
  const { notices, outcome } = await judge(new AttestedText(reference, speech).quote('We … asked'));
  expect([outcome, notices[0]]).toEqual(['verified', expect.stringContaining('left out')]);
});

test('`verifyQuote` accepts the root of public tools', async () => {
  // The surrogate pair crosses a border, so the two rules have different roots.
  const text = `${'a'.repeat(45)}😀 and what follows it`;
  const root = publicQuoteTreeOf(text).root ?? '0x';
  const publicly = attest(text, root);
  const proof = new AttestedText(publicly, text, root).quote('aaa […] and what');
  expect(await judge(proof)).toMatchObject({ outcome: 'verified', quoteRootHolds: true });
  const ours = new AttestedText(publicly, text).quote('and what');
  expect(await judge(ours)).toMatchObject({ outcome: 'altered', quoteRootHolds: false });
});

test('`verifyQuote` reports a revoked or corrected attestation', async () => {
  chain.change(1, { child: digestOf('corrected') });
  expect(await judge(quote)).toMatchObject({ outcome: 'superseded', quoteRootHolds: true });
  chain.change(1, { revokedAt: 1_800_000_100 });
  expect(await judge(quote)).toMatchObject({ outcome: 'revoked', quoteRootHolds: true });
});

test('`verifyQuote` reports a quote of another article as altered', async () => {
  const otherText = `${speech} Until today.`;
  const elsewhere = new AttestedText(attest(otherText), otherText).quote('Until today');
  const claimed = { ...elsewhere, ipfsCid: quote.ipfsCid, attestationIndex: 1 };
  const altered = { outcome: 'altered', quoteRootHolds: false };
  expect(await judge(claimed)).toMatchObject(altered);
  chain.change(1, { revokedAt: 1_800_000_100 });
  const verdict = await judge(claimed);
  expect(verdict).toMatchObject(altered);
  expect(verdict.notices.join()).not.toContain('stated the passage');
});

test('`verifyQuote` reports a missing attestation', async () => {
  const nowhere = { outcome: 'notFound', quoteRootHolds: undefined };
  expect(await judge({ ...quote, attestationIndex: 77 })).toMatchObject(nowhere);
});

test('`presentText` escapes control characters of a quote', async () => {
  const text = 'It \u202ewas\u001b[2J here.';
  const verdict = await judge(new AttestedText(attest(text), text).quote(text));
  expect(presentText(verdict)).toMatch(/^quoted {2}"It \\u\{202e\}was\\u001b\[2J here\."$/m);
});

test('`verifyQuote` rejects a malformed proof without a request', async () => {
  const providers = [{ request: () => Promise.reject(new Error('was asked')) }];
  await expect(verifyQuote('{}', { providers })).rejects.toThrow(QuoteProofInvalidError);
});
