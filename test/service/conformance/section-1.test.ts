import { verify } from 'imprimatur-verifier';
import { beforeAll, expect, test } from 'vitest';
import { mineUntilCommitted, withoutBlocks } from '../stack/blocks.ts';
import { attestationIndex, childOf, minedTransaction, publicClient, referenceTo } from '../stack/chain.ts';
import type { Answer, Body } from '../stack/http-client.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';
import { confirmedOf, creationOf, digestOf, noDelegation, replyOf } from './shapes.ts';

const [content, correction] = [article('the article'), article('the article, corrected')];
let publisher: Publisher;
let posted: Answer;
const statuses: unknown[] = [];
let confirmed: Body;
let corrected: Body;

beforeAll(async () => {
  publisher = await newPublisher();
  const { api } = publisher;
  await withoutBlocks(async () => {
    posted = await api.create({ content });
    const { body: pending } = await api.get(posted.body.id);
    const committed = await mineUntilCommitted(publisher, posted.body.id);
    statuses.push(pending.status, committed.status);
  });
  const later = api.attest(correction);
  confirmed = await api.until(posted.body.id, ({ status }) => status !== 'committed');
  statuses.push(confirmed.status);
  corrected = await later;
});

test('1.1 the content is certified on the chain on behalf of the organization', async () => {
  const { attestation } = await verify(referenceTo(confirmed), { providers: [publicClient] });
  expect([attestation?.digest, attestation?.authorityAddress]).toEqual([
    digestOf(content),
    publisher.authority.address,
  ]);
});

test('1.2 the service accepts the content that a client submits', () => {
  expect(replyOf(posted)).toEqual({ status: 202, body: creationOf(publisher, content) });
});

test('1.3 the CID is that of the exact string, and a commit and a reveal follow a pending attestation', () => {
  expect(posted.body).toEqual(creationOf(publisher, content, 'pending'));
  expect(confirmed).toEqual(confirmedOf(publisher, content));
  expect(confirmed.commitTxHash).not.toBe(confirmed.revealTxHash);
});

test('1.4 the call returns without waiting for a block', () => {
  // The response came before the next block.
  expect(posted.body.status).toBe('pending');
});

test('1.5 commit and reveal are sent by the platform key, as delegate of the authority', async () => {
  const { authority } = publisher;
  for (const hash of [confirmed.commitTxHash, confirmed.revealTxHash]) {
    const { from, to } = await minedTransaction(hash);
    expect([from, to]).toEqual([stack.signerAddress.toLowerCase(), stack.registryAddress.toLowerCase()]);
  }
  expect(authority.address).not.toBe(stack.signerAddress);
  expect(await attestationIndex(digestOf(content), authority.address)).toBe(confirmed.attestationIndex);
});

test('1.6 nothing is accepted without an active delegation for the chain', async () => {
  const { api } = await newPublisher({ delegated: false });
  expect(replyOf(await api.create({ content }))).toEqual(noDelegation());
  expect((await api.list()).body).toEqual({ attestations: [] });
});

test('1.7 the reveal is mined at least one reveal delay after the commit', async () => {
  const [commit, reveal] = await Promise.all([
    minedTransaction(confirmed.commitTxHash),
    minedTransaction(confirmed.revealTxHash),
  ]);
  expect(reveal.minedAt - commit.minedAt).toBeGreaterThanOrEqual(stack.revealDelaySeconds);
});

test('1.8 a client that polls sees each state until the attestation is confirmed', () => {
  expect(statuses).toEqual(['pending', 'committed', 'confirmed']);
});

test('1.10 the tuple is a complete reference, and nothing is verified if one part is different', async () => {
  const { contentCid, attestationIndex: index } = corrected;
  const reference = referenceTo(confirmed);
  const options = { providers: [publicClient] };
  expect(await verify(reference, options)).toMatchObject({ outcome: 'verified' });
  const others = [
    { contentCid: String(contentCid) },
    { chainId: stack.chainId + 1 },
    { authorityAddress: stack.signerAddress },
    { attestationIndex: Number(index) },
  ];
  const verdicts = others.map((other) => verify({ ...reference, ...other }, options));
  expect((await Promise.all(verdicts)).map(({ outcome }) => outcome)).toEqual([
    'notFound',
    'unknown',
    'notFound',
    'notFound',
  ]);
});

test('1.11 a confirmed attestation can be linked to a newer one of the same organization', async () => {
  const { api } = publisher;
  expect(replyOf(await api.link(confirmed.id, corrected.id))).toEqual({
    status: 202,
    body: { ...confirmed, childAttestationId: corrected.id },
  });
});

test('1.12 the link sets the child hash on-chain, which leads from the old article to the new one', async () => {
  await publisher.api.until(confirmed.id, ({ childLinkTxHash }) => childLinkTxHash !== null);
  expect(await childOf(Number(confirmed.attestationIndex))).toBe(digestOf(correction));
});
