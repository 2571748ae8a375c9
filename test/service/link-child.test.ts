import { beforeAll, expect, test } from 'vitest';
import { contentDigest, parseContent } from '../../functions/domain/content.ts';
import { childOf, delegate, revokeDelegation, signerNonce } from './chain.ts';
import type { Body } from './http-client.ts';
import { article, newPublisher, type Publisher } from './publisher.ts';

let publisher: Publisher;
let parent: Body;
const drafts = [article('second draft'), article('third draft')];
let children: Body[];

const digestOf = (text = '') => contentDigest(parseContent(text));
const isLinked = ({ childLinkTxHash }: Body) => childLinkTxHash !== null;

beforeAll(async () => {
  publisher = await newPublisher();
  const { api } = publisher;
  [parent, ...children] = (await Promise.all(
    [article('first draft'), ...drafts].map((text) => api.attest(text)),
  )) as [Body, ...Body[]];
});

test('a child is linked on-chain while the status stays confirmed', async () => {
  const { api } = publisher;
  const queued = await api.link(parent.id, children[0]?.id);
  expect(queued).toMatchObject({ status: 202 });
  expect(queued.body).toEqual({ ...parent, childAttestationId: children[0]?.id, childLinkTxHash: null });
  const linked = await api.until(parent.id, isLinked);
  expect(linked).toEqual({
    ...parent,
    childAttestationId: children[0]?.id,
    childLinkTxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  expect(await childOf(Number(parent.attestationIndex))).toBe(digestOf(drafts[0]));
});

test('the same child again is a no-op', async () => {
  const { api } = publisher;
  const before = (await api.get(parent.id)).body;
  const nonce = await signerNonce();
  expect(await api.link(parent.id, children[0]?.id)).toMatchObject({ status: 200, body: before });
  expect(await signerNonce()).toBe(nonce);
});

test('another child overwrites the link, and the last of several posted at once stands', async () => {
  const { api } = publisher;
  const [first, second] = children;
  expect((await api.link(parent.id, second?.id)).body).toMatchObject({ childLinkTxHash: null });
  expect((await api.link(parent.id, first?.id)).status).toBe(202);
  expect((await api.link(parent.id, second?.id)).status).toBe(202);
  expect((await api.link(parent.id, second?.id)).status).toBe(202);
  const linked = await api.until(parent.id, isLinked);
  expect(linked.childAttestationId).toBe(second?.id);
  expect(await childOf(Number(parent.attestationIndex))).toBe(digestOf(drafts[1]));
});

test('a link to itself, to an unknown child and from an unknown parent are refused in that order', async () => {
  const { api } = publisher;
  const nobody = crypto.randomUUID();
  const self = { status: 400, body: { error: 'childAttestationId must differ from the attestation id' } };
  expect(await api.link(nobody, nobody)).toMatchObject(self);
  expect(await api.link(nobody, parent.id)).toMatchObject({
    status: 404,
    body: { error: 'attestation not found' },
  });
  const noChild = { status: 404, body: { error: 'childAttestationId not found' } };
  expect(await api.link(parent.id, nobody)).toMatchObject(noChild);
  const other = await newPublisher();
  const { body } = await other.api.create({ content: article() });
  expect(await api.link(parent.id, body.id)).toMatchObject(noChild);
});

test('a malformed child id is a validation error', async () => {
  const { status, body } = await publisher.api.link(parent.id, 'nonsense');
  const issues = [{ path: ['childAttestationId'], message: 'must be a UUID' }];
  expect({ status, body }).toEqual({ status: 400, body: { error: 'invalid request', issues } });
});

test('an attestation that is not confirmed cannot be linked yet', async () => {
  const { api } = publisher;
  const { body } = await api.create({ content: article() });
  expect(await api.link(body.id, parent.id)).toMatchObject({
    status: 409,
    body: { error: expect.stringMatching(/^attestation not yet confirmed \(status (pending|committed)\)$/) },
  });
});

test('a link without a delegation says why, and can be posted again', async () => {
  const { api, authority } = await newPublisher();
  const [old, corrected] = await Promise.all([api.attest(article()), api.attest(article())]);
  await revokeDelegation(authority);
  expect((await api.link(old.id, corrected.id)).status).toBe(202);
  const refused = await api.until(old.id, ({ childLinkError }) => childLinkError !== undefined);
  expect(refused).toMatchObject({
    status: 'confirmed',
    error: null,
    childLinkTxHash: null,
    childLinkError: expect.stringContaining(`delegation of ${authority.address}`),
  });
  await delegate(authority);
  expect((await api.link(old.id, corrected.id)).status).toBe(202);
  expect(await api.until(old.id, isLinked)).not.toHaveProperty('childLinkError');
});
