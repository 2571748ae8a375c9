import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { encodeFunctionData } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { withoutBlocks } from '../stack/blocks.ts';
import { childOf } from '../stack/chain.ts';
import type { Answer, Body } from '../stack/http-client.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { digestOf, hash, invalid, noMethod, notFound, replyOf } from './shapes.ts';
import { afterFewBlocks, newestBlock, workFor } from './work.ts';

const drafts = [article('second draft'), article('third draft')] as const;
const noChild = { status: 404, body: { error: 'childAttestationId not found' } };
const isLinked = ({ childLinkTxHash }: Body) => childLinkTxHash !== null;

let publisher: Publisher;
let parent: Body;
let second: Body;
let third: Body;
let accepted: Answer;
let beforeLink: bigint;

beforeAll(async () => {
  publisher = await newPublisher();
  const { api } = publisher;
  const confirmed = api.attest(article('first draft'));
  [second, third] = (await Promise.all(drafts.map((content) => api.create({ content })))).map(
    ({ body }) => body,
  ) as [Body, Body];
  parent = await confirmed;
});

test('4.4.3 the call returns without waiting for a block', async () => {
  beforeLink = await newestBlock();
  accepted = await withoutBlocks(() => publisher.api.link(parent.id, second.id));
  expect(accepted.body.childLinkTxHash).toBeNull();
});

test('4.4.6 202: the update is queued', () => {
  expect(accepted.status).toBe(202);
});

test('4.4.7 the body of the 202 is the Attestation with the child, without a hash, and with the same status', () => {
  expect(accepted.body).toEqual({ ...parent, childAttestationId: second.id, childLinkTxHash: null });
});

test('4.4.8 polling then shows the hash', async () => {
  const linked = await publisher.api.until(parent.id, isLinked);
  expect(linked).toEqual({ ...parent, childAttestationId: second.id, childLinkTxHash: hash });
});

test('4.4.2 the child hash of the old attestation points on-chain at the new one', async () => {
  expect(await childOf(Number(parent.attestationIndex))).toBe(digestOf(drafts[0]));
});

test('4.4.1 POST /v1/attestations/:id/child is the route; another method on it is not allowed', async () => {
  const answer = await publisher.api.send('GET', `/v1/attestations/${parent.id}/child`);
  expect(replyOf(answer)).toEqual(noMethod);
  // OPTIONS, because the stack of the tests allows the pages' origin.
  expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
});

test('4.4.9 the same child again after its link is final is a no-op with 200', async () => {
  const { api } = publisher;
  const before = (await api.get(parent.id)).body;
  expect(replyOf(await api.link(parent.id, second.id))).toEqual({ status: 200, body: before });
  const args = [BigInt(Number(parent.attestationIndex)), digestOf(drafts[0])] as const;
  const calls = [encodeFunctionData({ abi, functionName: 'setChildIpfsHash', args })];
  const work = () => workFor(publisher, parent.id, { calls, since: beforeLink });
  // The attestation's own execution, and the earlier link.
  const asBefore = {
    ...{ executions: [`${parent.id}-1`], operations: [], linkIntents: 1 },
    sent: [before.childLinkTxHash],
  };
  expect(await work()).toEqual(asBefore);
  await afterFewBlocks();
  expect(await work()).toEqual(asBefore);
  expect((await api.get(parent.id)).body).toEqual(before);
});

test('4.4.10 another child overwrites the link', async () => {
  const { api } = publisher;
  const before = (await api.get(parent.id)).body;
  const replaced = await withoutBlocks(() => api.link(parent.id, third.id));
  const body = { ...parent, childAttestationId: third.id, childLinkTxHash: null };
  expect(replyOf(replaced)).toEqual({ status: 202, body });
  const linked = await api.until(parent.id, isLinked);
  expect(linked).toEqual({ ...body, childLinkTxHash: hash });
  expect(linked.childLinkTxHash).not.toBe(before.childLinkTxHash);
  expect(await childOf(Number(parent.attestationIndex))).toBe(digestOf(drafts[1]));
});

test('4.4.11 the contract accepts the first child again after the second', async () => {
  const { api } = publisher;
  expect((await api.link(parent.id, second.id)).status).toBe(202);
  await api.until(parent.id, isLinked);
  expect(await childOf(Number(parent.attestationIndex))).toBe(digestOf(drafts[0]));
});

test('4.4.4 childAttestationId is a required uuid', async () => {
  const { api } = publisher;
  expect(replyOf(await api.link(parent.id, 'nonsense'))).toEqual(
    invalid('childAttestationId', 'must be a UUID'),
  );
  expect(replyOf(await api.link(parent.id, undefined))).toEqual(invalid('childAttestationId', 'is missing'));
});

test('4.4.12 the errors are self link, unknown parent, unknown child and unconfirmed parent, in that order', async () => {
  const { api } = publisher;
  const nobody = crypto.randomUUID();
  const self = { status: 400, body: { error: 'childAttestationId must differ from the attestation id' } };
  expect(replyOf(await api.link(nobody, nobody))).toEqual(self);
  expect(replyOf(await api.link(nobody, parent.id))).toEqual(notFound);
  expect(replyOf(await api.link(parent.id, nobody))).toEqual(noChild);
  const other = await newPublisher();
  const theirs = (await other.api.create({ content: article() })).body;
  expect(replyOf(await api.link(theirs.id, parent.id))).toEqual(notFound);
  expect(replyOf(await api.link(parent.id, theirs.id))).toEqual(noChild);
  const fresh = (await api.create({ content: article() })).body;
  expect(replyOf(await api.link(fresh.id, nobody))).toEqual(noChild);
});
