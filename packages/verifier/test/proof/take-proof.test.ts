import { type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { author, other } from '../../../../contracts/test/chain/registry.ts';
import {
  ProofUnavailableError,
  renewProof,
  takeProof,
  type Verdict,
  verify,
  verifyOffline,
} from '../../src/verifier.ts';
import { attestArticle } from '../attested-article.ts';
import { type Scenarios, startScenarios } from './scenarios.ts';

let scenarios: Scenarios;
let rpcUrl: string;
beforeAll(async () => {
  scenarios = await startScenarios();
  rpcUrl = scenarios.registry.chain.rpcUrl;
});
afterAll(() => scenarios?.registry.stop());

/** The facts that do not depend on the provider. */
const factsIn = ({ outcome, attestation, firstAttestedBy, corrections, text, ...rest }: Verdict) => ({
  ...{ outcome, firstAttestedBy, corrections, text, registry: rest.registry, record: rest.record },
  attestation: attestation && { ...attestation, revealBlock: undefined },
});

test('`verifyOffline` returns the same as `verify` for every kind of attestation', async () => {
  expect(scenarios.all).toHaveLength(8);
  for (const { name, reference, text, outcome } of scenarios.all) {
    const proof = JSON.stringify(await takeProof(reference, [rpcUrl], { text }));
    const { storage } = JSON.parse(proof);
    for (const usedText of [text, undefined, `${text} `]) {
      const options = { blockHash: storage.block.hash, text: usedText };
      const offline = await verifyOffline(proof, options);
      const online = await verify(reference, { providers: [rpcUrl], text: usedText });
      expect({ name, ...factsIn(offline) }).toEqual({ name, ...factsIn(online) });
      expect(offline.outcome).toBe(usedText === `${text} ` ? 'altered' : outcome);
      expect(offline.reason).toBe(
        `${online.reason} As of block ${storage.block.number} of chain 31337, if ${storage.block.hash} is that block.`,
      );
    }
  }
});

const scenario = (name: string) => {
  const found = scenarios.all.find((each) => each.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

test("a proof file has the text's length and the fields of the earlier file, but not the text", async () => {
  const { reference, text } = scenario('single');
  const revealTransaction = `0x${'0c'.repeat(32)}` as const;
  const plain = await takeProof(reference, [rpcUrl], { storage: false });
  expect(plain).toMatchObject({ version: 1, reference, registry: { codeHash: expect.any(String) } });
  expect(plain.storage).toBeUndefined();
  expect((await verifyOffline(plain, { blockHash: `0x${'00'.repeat(32)}` })).outcome).toBe('unknown');
  const attested = { ...plain.attested, revealTransaction };
  const earlier = { ...plain, attested, publisher: { domain: 'example.org' } };
  const complete = await takeProof(reference, [rpcUrl], { text, earlier });
  expect(complete).toMatchObject({
    content: { bytes: text.length, quoteRoot: plain.content.quoteRoot },
    attested: { revealTransaction, time: plain.attested.time },
    publisher: { domain: 'example.org' },
    storage: { block: { final: false } },
  });
  expect(JSON.stringify(complete)).not.toContain(text);
  const otherReference = scenario('revoked').reference;
  await expect(takeProof(otherReference, [rpcUrl], { earlier })).rejects.toThrow(/for another attestation/);
});

test("a proof file has the reveal's block if no other block has the same time", async () => {
  const { client } = scenarios.registry.chain;
  const { reference } = await attestArticle(scenarios.registry, author, 'The only one in its second.');
  const { number, timestamp } = await client.getBlock();
  await client.mine({ blocks: 2, interval: 10 });
  expect(await takeProof(reference, [rpcUrl])).toMatchObject({ attested: { block: Number(number) } });
  const pruned = changingProvider('eth_getBlockByNumber', (block: { number: Hex }) =>
    BigInt(block.number) === number - 1n ? null : block,
  );
  const file = await takeProof(reference, [pruned, rpcUrl], { storage: false });
  expect(file).toMatchObject({ attested: { block: Number(number) } });
  const onlyPruned = await takeProof(reference, [pruned], { storage: false });
  expect(Object.keys(onlyPruned.attested)).toEqual(['time']);
  const twins = changingProvider('eth_getBlockByNumber', (block: { number: Hex }) =>
    BigInt(block.number) === number - 1n ? { ...block, timestamp: numberToHex(timestamp) } : block,
  );
  const { attested } = await takeProof(reference, [twins], { storage: false });
  expect(Object.keys(attested)).toEqual(['time']);
  const earlier = { version: 1, reference, content: {}, attested: { ...attested, block: 7 } } as const;
  expect(await takeProof(reference, [twins], { earlier })).toMatchObject({ attested: { block: 7 } });
});

test('`takeProof` rejects a missing attestation, another text and unreachable providers', async () => {
  const { reference, text } = scenario('single');
  const refusal = (change: object, options = {}, providers = [rpcUrl]) =>
    takeProof({ ...reference, ...change }, providers, options);
  await expect(refusal({ attestationIndex: 999 })).rejects.toThrow(ProofUnavailableError);
  await expect(refusal({ authorityAddress: other })).rejects.toThrow(ProofUnavailableError);
  await expect(refusal({ registryAddress: other })).rejects.toThrow(ProofUnavailableError);
  await expect(refusal({ chainId: 1 })).rejects.toThrow(/serves chain 31337, not 1/);
  await expect(refusal({}, { text: `${text}\n` })).rejects.toThrow(/not the attested one/);
  await expect(refusal({}, {}, ['http://127.0.0.1:1/key'])).rejects.toThrow(/127.0.0.1:1 does not answer/);
});

interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A provider that forwards requests to the chain's node, and changes its answers to one method. */
const changingProvider = (method: string, change: (answer: never) => unknown) => ({
  name: 'a changed provider',
  request: async (question: never) => {
    const rpcRequest: RpcRequest = question;
    const answer = await scenarios.registry.chain.client.request(question);
    return rpcRequest.method === method ? change(answer as never) : answer;
  },
});

type Proofs = Readonly<Record<'accountProof' | 'storageProof', readonly unknown[]>>;

test.each([
  ['eth_getProof', 'has no proofs', () => null],
  [
    'eth_getProof',
    'leaves out a slot',
    (old: Proofs) => ({ ...old, storageProof: old.storageProof.slice(1) }),
  ],
  [
    'eth_getProof',
    'leaves out a node',
    (old: Proofs) => ({ ...old, accountProof: old.accountProof.slice(1) }),
  ],
  ['eth_getProof', 'returns numbers', (old: Proofs) => ({ ...old, accountProof: [1, 2] })],
  ['eth_getProof', 'returns half a byte', (old: Proofs) => ({ ...old, accountProof: ['0x123'] })],
  ['eth_getProof', 'returns 66 nodes', (old: Proofs) => ({ ...old, accountProof: Array(66).fill('0x80') })],
  ['eth_getStorageAt', 'returns too many bytes', () => `0x${'00'.repeat(33)}`],
  ['eth_getBlockByNumber', 'returns a changed header', (old: object) => ({ ...old, extraData: '0x99' })],
] as const)('`takeProof` skips a provider whose %s %s', async (method, _, change) => {
  const { reference } = scenario('single');
  const faulty = changingProvider(method, change as (answer: never) => unknown);
  await expect(takeProof(reference, [faulty])).rejects.toThrow(
    /^no provider returned a proof: a changed provider /,
  );
  const proof = await takeProof(reference, [faulty, rpcUrl]);
  const { outcome } = await verifyOffline(proof, { blockHash: proof.storage?.block.hash ?? '' });
  expect(outcome).toBe('verified');
});

test('`takeProof` retries if a proof is missing once', async () => {
  const { reference } = scenario('single');
  let requests = 0;
  const lagging = changingProvider('eth_getProof', (answer) => {
    requests += 1;
    return requests === 1 ? null : answer;
  });
  const { storage } = await takeProof(reference, [lagging]);
  expect(storage?.accounts).toHaveLength(1);
  expect(requests).toBe(2);
});

test('`renewProof` marks a proof final, or takes a new one after a reorg', async () => {
  const { client } = scenarios.registry.chain;
  const { reference } = scenario('single');
  const proof = await takeProof(reference, [rpcUrl]);
  expect(await renewProof(proof, [rpcUrl])).toBe(proof);
  const snapshotId = await client.snapshot();
  await client.mine({ blocks: 1 });
  const orphan = await takeProof(reference, [rpcUrl]);
  await client.revert({ id: snapshotId });
  await client.mine({ blocks: 100, interval: 1 });
  const renewed = await renewProof(orphan, [rpcUrl]);
  expect(renewed.storage?.block.number).toBeGreaterThan(orphan.storage?.block.number ?? 0);
  expect(renewed.storage?.block.final).toBe(false);
  const final = await renewProof(proof, [rpcUrl]);
  expect(final).toEqual({
    ...proof,
    storage: { ...proof.storage, block: { ...proof.storage?.block, final: true } },
  });
  expect(await renewProof(final, [])).toBe(final);
  const blockHash = final.storage?.block.hash ?? '';
  expect(await verifyOffline(final, { blockHash })).toMatchObject({
    outcome: 'verified',
    // The file claims that its block is final, but cannot prove it.
    notYetFinal: true,
  });
});
