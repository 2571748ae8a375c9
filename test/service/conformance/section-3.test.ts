import { verify } from 'imprimatur-verifier';
import { beforeAll, expect, test } from 'vitest';
import { mineRevocation, mineUntilCommitted, waitUntilPooled, withoutBlocks } from '../stack/blocks.ts';
import { attestationIndex, delegate, publicClient, referenceTo, revokeAttestation } from '../stack/chain.ts';
import { isCommitted, saltedHashFor } from '../stack/commitment.ts';
import type { Answer, Body } from '../stack/http-client.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';
import { attestDirectly } from './attest-directly.ts';
import { committedOf, confirmedOf, creationOf, digestOf, pendingOf, replyOf, timestamp } from './shapes.ts';
import { afterFewBlocks, newestBlock, workFor } from './work.ts';

const [content, direct, doomed] = [article('states'), article('attested directly'), article('doomed')];
const isOver = ({ status }: Body) => status === 'confirmed' || status === 'failed';

let publisher: Publisher;
let posted: Answer;
const seen: Body[] = [];
/** Whether the registry had the commit when the attestation was seen as pending, and as committed. */
const commitments: boolean[] = [];
let beforePosted: bigint;
let loner: Publisher;
let unlucky: Publisher;
let failed: Body;

async function seeStates(): Promise<void> {
  publisher = await newPublisher();
  const { api } = publisher;
  await withoutBlocks(async () => {
    beforePosted = await newestBlock();
    posted = await api.create({ content });
    const saltedHash = await saltedHashFor(publisher, posted.body.id);
    // Without a block in between, the API and the chain have the same state.
    await waitUntilPooled(saltedHash);
    seen.push((await api.get(posted.body.id)).body);
    commitments.push(await isCommitted(saltedHash));
    seen.push(await mineUntilCommitted(publisher, posted.body.id));
    commitments.push(await isCommitted(saltedHash));
  });
  seen.push(await api.until(posted.body.id, ({ status }) => status !== 'committed'));
}

async function failOne(): Promise<void> {
  unlucky = await newPublisher();
  const id = await withoutBlocks(async () => {
    const { body } = await unlucky.api.create({ content: doomed });
    seen.push(await mineUntilCommitted(unlucky, body.id));
    await mineRevocation(unlucky.authority);
    return body.id;
  });
  failed = await unlucky.api.until(id, isOver);
}

async function attestOne(): Promise<void> {
  loner = await newPublisher({ delegated: false });
  await attestDirectly(loner, direct);
}

beforeAll(async () => {
  await seeStates();
  await failOne();
  await attestOne();
});

test('3.1 the states are pending, committed, confirmed and failed', () => {
  const states = new Set([...seen, failed].map(({ status }) => status));
  expect([...states]).toEqual(['pending', 'committed', 'confirmed', 'failed']);
});

test('3.3 content that is attested on-chain is confirmed at once with 200, without transactions and delegation', async () => {
  const since = await newestBlock();
  const answer = await loner.api.create({ content: direct });
  expect(replyOf(answer)).toEqual({ status: 200, body: creationOf(loner, direct, 'confirmed') });
  const { body } = await loner.api.get(answer.body.id);
  expect(body).toEqual({
    ...pendingOf(loner, direct),
    status: 'confirmed',
    attestationIndex: await attestationIndex(digestOf(direct), loner.authority.address),
    confirmedAt: timestamp,
  });
  const calls = [digestOf(direct), await saltedHashFor(loner, body.id)];
  const work = () => workFor(loner, body.id, { calls, since });
  const none = { executions: [], operations: [], sent: [], linkIntents: 0 };
  expect(await work()).toEqual(none);
  await afterFewBlocks();
  expect(await work()).toEqual(none);
});

test('new content has an execution, a commit and a reveal, unlike that of 3.3', async () => {
  const { id } = posted.body;
  const calls = [digestOf(content), await saltedHashFor(publisher, id)];
  const { commitTxHash, revealTxHash } = seen[2] ?? {};
  expect(await workFor(publisher, id, { calls, since: beforePosted })).toEqual({
    ...{ executions: [`${id}-1`], operations: [], linkIntents: 0 },
    sent: [commitTxHash, revealTxHash],
  });
});

test('3.4 pending becomes committed when the commit is mined', () => {
  expect(seen[0]).toEqual(pendingOf(publisher, content));
  expect(seen[1]).toEqual(committedOf(publisher, content));
});

test('3.5 committed becomes confirmed when the reveal is mined, and anyone can verify it', async () => {
  const confirmed = seen[2] ?? {};
  expect(confirmed).toEqual(confirmedOf(publisher, content));
  const options = { providers: [publicClient], text: content };
  expect(await verify(referenceTo(confirmed), options)).toMatchObject({ outcome: 'verified' });
});

test('3.7 committed becomes failed, with a message, when the delegation is revoked before the reveal', () => {
  expect(failed).toEqual({
    ...committedOf(unlucky, doomed),
    status: 'failed',
    error:
      `delegation of ${unlucky.authority.address} to ${stack.signerAddress} on chain ${stack.chainId} ` +
      'is not active; delegate again and submit the content again',
  });
});

test('3.8 confirmed is terminal, also if the attestation is revoked on-chain later', async () => {
  const { api, authority } = loner;
  const [before] = (await api.list()).body.attestations as Body[];
  await revokeAttestation(authority, Number(before?.attestationIndex));
  expect((await api.get(before?.id)).body).toEqual(before);
  expect(replyOf(await api.create({ content: direct }))).toEqual({
    status: 200,
    body: { ...creationOf(loner, direct, 'confirmed'), revokedAt: timestamp },
  });
  // Only the additional field changes, once the service has read the registry.
  expect((await api.get(before?.id)).body).toEqual({ ...before, revokedAt: timestamp });
});

test('3.9 pending means accepted and not yet on-chain', () => {
  expect(seen[0]).toEqual({ ...pendingOf(publisher, content), id: posted.body.id });
  expect(seen[1]).toEqual({ ...committedOf(publisher, content), id: posted.body.id });
  expect(commitments).toEqual([false, true]);
});

test('3.11 a new request with the content of a failed attestation starts a new attempt, which succeeds', async () => {
  const { api, authority } = unlucky;
  await delegate(authority);
  const second = await api.create({ content: doomed });
  expect(replyOf(second)).toEqual({ status: 202, body: creationOf(unlucky, doomed) });
  expect(second.body.id).not.toBe(failed.id);
  expect(await api.until(second.body.id, isOver)).toEqual(confirmedOf(unlucky, doomed));
});

// This is the last test that uses `unlucky`: the second attempt of that publisher is confirmed by now.
test('3.10 a failed attestation is not retried automatically', async () => {
  expect((await unlucky.api.get(failed.id)).body).toEqual(failed);
  expect((await unlucky.api.list()).body.attestations).toHaveLength(2);
});
