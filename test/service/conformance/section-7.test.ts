import { beforeAll, expect, test } from 'vitest';
import { mineUntilCommitted, withoutBlocks } from '../stack/blocks.ts';
import { attestationIndex, revokeAttestation, revokeDelegation } from '../stack/chain.ts';
import { type Answer, type Body, HttpClient } from '../stack/http-client.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';
import { attestDirectly } from './attest-directly.ts';
import { digestOf, invalid, noDelegation, replyOf } from './shapes.ts';

let publisher: Publisher;
let attestation: Body;

beforeAll(async () => {
  publisher = await newPublisher();
  attestation = (await publisher.api.create({ content: article() })).body;
});

test('7.1 an error is a JSON object with a string that describes it, and a status', async () => {
  const { api } = publisher;
  const answers: Answer[] = [
    await api.create('{'),
    await new HttpClient().list(),
    await api.get('nonsense'),
    await api.create({ content: article(), chainId: 1 }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 401, 404, 409]);
  for (const { body, headers } of answers) {
    expect(body.error).toMatch(/^[a-zA-Z ]+[\w ]+$/);
    expect(headers.get('content-type')).toBe('application/json');
  }
});

test('7.2 400 names the fields that fail validation, each with a message', async () => {
  const { api } = publisher;
  expect(replyOf(await api.create({ content: article(), chainId: 0 }))).toEqual(
    invalid('chainId', 'must be a whole number of at least 1'),
  );
  expect(replyOf(await api.create({ content: article(), chain_id: 1 }))).toEqual(
    invalid('chain_id', 'did you mean chainId?'),
  );
  expect(replyOf(await api.link(attestation.id, 1))).toEqual(
    invalid('childAttestationId', 'must be a string'),
  );
});

test('7.4 400 for an attestation as its own child, in upper or lower case', async () => {
  const { api } = publisher;
  const id = String(attestation.id);
  const body = { error: 'childAttestationId must differ from the attestation id' };
  expect(replyOf(await api.link(id, id))).toEqual({ status: 400, body });
  expect(replyOf(await api.link(id, id.toUpperCase()))).toEqual({ status: 400, body });
});

test('7.8 409 without a delegation or after its revocation, with the way to delegate in Link', async () => {
  const { api, authority } = await newPublisher({ delegated: false });
  const content = article();
  const never = await api.create({ content });
  expect(replyOf(never)).toEqual(noDelegation());
  expect(never.headers.get('link')).toMatch(/^<[^>]*\/v1\/chains>; rel="help"$/);
  const revoked = await newPublisher();
  expect((await revoked.api.create({ content: article() })).status).toBe(202);
  await revokeDelegation(revoked.authority);
  expect(replyOf(await revoked.api.create({ content }))).toEqual(noDelegation());
  expect(authority.address).not.toBe(revoked.authority.address);
});

test('7.9 409 names the status of an attestation that cannot be linked yet', async () => {
  const { api } = publisher;
  await withoutBlocks(async () => {
    const { id } = (await api.create({ content: article() })).body;
    expect(replyOf(await api.link(id, attestation.id))).toEqual(unconfirmed('pending'));
    await mineUntilCommitted(publisher, id);
    expect(replyOf(await api.link(id, attestation.id))).toEqual(unconfirmed('committed'));
  });
});

function unconfirmed(status: string) {
  return { status: 409, body: { error: `attestation not yet confirmed (status ${status})` } };
}

test('7.8 409 for content that was revoked on-chain: it cannot be attested again', async () => {
  const another = await newPublisher();
  const content = article('to be revoked');
  await attestDirectly(another, content);
  const index = await attestationIndex(digestOf(content), another.authority.address);
  await revokeAttestation(another.authority, index);
  const { chainId } = stack;
  expect(replyOf(await another.api.create({ content }))).toEqual({
    status: 409,
    body: { error: `content was revoked on chain ${chainId} and cannot be attested again`, chainId },
  });
});
