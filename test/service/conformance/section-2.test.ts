import { verify } from 'imprimatur-verifier';
import { beforeAll, expect, test } from 'vitest';
import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { readContent, readMetadata } from '../../../functions/domain/attestation/content-records.ts';
import { records } from '../stack/aws.ts';
import { mineUntilCommitted, withoutBlocks } from '../stack/blocks.ts';
import { minedTransaction, publicClient, referenceTo } from '../stack/chain.ts';
import type { Answer, Body } from '../stack/http-client.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';
import { committedOf, confirmedOf, creationOf, hash, pendingOf, timestamp, uuid } from './shapes.ts';

const content = article('fields');
const url = 'https://example.org/Ä?b#c';
const metadata = { note: article('a note') };

let publisher: Publisher;
let posted: Answer;
let child: Body;
let pending: Body;
let committed: Body;
let confirmed: Body;
let queued: Body;
let linked: Body;

beforeAll(async () => {
  publisher = await newPublisher();
  const { api } = publisher;
  await withoutBlocks(async () => {
    posted = await api.create({ content, url, metadata });
    pending = (await api.get(posted.body.id)).body;
    committed = await mineUntilCommitted(publisher, posted.body.id);
  });
  confirmed = await api.until(posted.body.id, ({ status }) => status !== 'committed');
  child = (await api.create({ content: article() })).body;
  queued = (await withoutBlocks(() => api.link(confirmed.id, child.id))).body;
  linked = await api.until(confirmed.id, ({ childLinkTxHash }) => childLinkTxHash !== null);
});

test('2.1 id is the uuid by which the attestation is polled', () => {
  expect([pending.id, confirmed.id]).toEqual([posted.body.id, posted.body.id]);
  expect(posted.body.id).toEqual(uuid);
});

test('2.2 url is the one that was sent, and absent without one', async () => {
  expect([pending.url, confirmed.url]).toEqual([url, url]);
  expect((await publisher.api.get(child.id)).body).not.toHaveProperty('url');
});

test('2.3 chainId is the number of the chain it is published on', () => {
  expect(confirmed.chainId).toBe(stack.chainId);
});

test('2.4 authorityAddress is that of the organization', () => {
  expect(confirmed.authorityAddress).toBe(publisher.authority.address);
});

test('2.5 contentCid is computed from the content', () => {
  expect(confirmed.contentCid).toBe(creationOf(publisher, content).contentCid);
});

test('2.6 status is the state, and the other fields match it', () => {
  expect(pending).toEqual({ ...pendingOf(publisher, content), url });
  expect(committed).toEqual({ ...committedOf(publisher, content), url });
  expect(confirmed).toEqual({ ...confirmedOf(publisher, content), url });
});

test('2.7 commitTxHash is absent until the commit is mined, and then its hash', async () => {
  expect(pending).not.toHaveProperty('commitTxHash');
  expect([committed.commitTxHash, confirmed.commitTxHash]).toEqual([hash, committed.commitTxHash]);
  expect((await minedTransaction(committed.commitTxHash)).blockNumber).toBeTypeOf('bigint');
});

test('2.8 revealTxHash is absent until the reveal is mined, and then its hash', async () => {
  expect(pending).not.toHaveProperty('revealTxHash');
  expect(confirmed.revealTxHash).toEqual(hash);
  const { minedAt } = await minedTransaction(confirmed.revealTxHash);
  expect(Date.parse(String(confirmed.confirmedAt))).toBe(minedAt * 1000);
});

test('2.9 attestationIndex is set with the status confirmed and not before', () => {
  expect([pending, committed].some((body) => 'attestationIndex' in body)).toBe(false);
  expect(confirmed.attestationIndex).toBeTypeOf('number');
});

test('2.10 error is null while the attestation has not failed', () => {
  expect([pending, committed, confirmed].map(({ error }) => error)).toEqual([null, null, null]);
});

test('2.11 childAttestationId is null at first, and the id of the child after a link call', () => {
  expect([confirmed.childAttestationId, queued.childAttestationId]).toEqual([null, child.id]);
});

test('2.12 childLinkTxHash is null while the link is queued, and a mined transaction afterwards', async () => {
  expect([confirmed.childLinkTxHash, queued.childLinkTxHash]).toEqual([null, null]);
  expect(linked).toEqual({ ...queued, childLinkTxHash: hash });
  expect((await minedTransaction(linked.childLinkTxHash)).blockNumber).toBeTypeOf('bigint');
});

test('2.13 createdAt is an ISO 8601 timestamp that never changes', () => {
  expect(pending.createdAt).toEqual(timestamp);
  expect(linked.createdAt).toBe(pending.createdAt);
});

test('2.14 confirmedAt is an ISO 8601 timestamp, absent until the attestation is confirmed', () => {
  expect([pending, committed].some((body) => 'confirmedAt' in body)).toBe(false);
  expect(confirmed.confirmedAt).toEqual(timestamp);
});

test('2.15 the content and the metadata are stored with the attestation', async () => {
  const key = { organizationId: publisher.organizationId, id: String(posted.body.id) };
  const row = await findAttestation(records, key);
  expect(row && (await readContent(records, row))).toBe(content);
  expect(await readMetadata(records, key)).toBe(JSON.stringify(metadata));
});

test('2.16 no transaction contains the metadata or the content', async () => {
  const { commitTxHash, revealTxHash, childLinkTxHash } = linked;
  for (const sent of [commitTxHash, revealTxHash, childLinkTxHash]) {
    const { input } = await minedTransaction(sent);
    for (const secret of [metadata.note, content])
      expect(input).not.toContain(Buffer.from(secret.slice(0, 20)).toString('hex'));
  }
});

test('2.17 the response contains neither the content nor the metadata', async () => {
  const { text } = await publisher.api.get(posted.body.id);
  expect(JSON.parse(text)).toEqual(linked);
  expect([metadata.note, content].map((secret) => text.includes(secret))).toEqual([false, false]);
});

test('2.18 CID and quote root on-chain are those of the exact content', async () => {
  const reference = referenceTo(confirmed);
  const providers = [publicClient];
  expect(await verify(reference, { providers, text: content })).toMatchObject({
    outcome: 'superseded',
    quoteRootHolds: true,
  });
  expect(await verify(reference, { providers, text: `${content} ` })).toMatchObject({
    outcome: 'altered',
    quoteRootHolds: false,
  });
});

test('2.19 any change, even whitespace, gives a different CID', async () => {
  const { api } = publisher;
  const variants = [`${content} `, ` ${content}`, `${content}\n`, content.toUpperCase()];
  const answers = await Promise.all(variants.map((variant) => api.create({ content: variant })));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  const cids = [posted.body.contentCid, ...answers.map(({ body }) => body.contentCid)];
  expect(new Set(cids).size).toBe(5);
});

test('2.20 the create response is exactly the abbreviated attestation', () => {
  expect(posted.body).toEqual(creationOf(publisher, content));
  const { id, status, contentCid, chainId, authorityAddress } = pending;
  expect(posted.body).toEqual({ id, status, contentCid, chainId, authorityAddress });
});
