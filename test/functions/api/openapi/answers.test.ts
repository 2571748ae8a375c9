import { expect, test, vi } from 'vitest';
import { handler as create } from '../../../../functions/api/create-attestation.ts';
import { handler as get } from '../../../../functions/api/get-attestation.ts';
import { handler as proof } from '../../../../functions/api/get-proof.ts';
import { handler as link } from '../../../../functions/api/link-child.ts';
import { handler as list } from '../../../../functions/api/list-attestations.ts';
import { handler as chains } from '../../../../functions/api/list-chains.ts';
import { handler as quote } from '../../../../functions/api/quote-passage.ts';
import { parseContent } from '../../../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../../../functions/domain/attestation/content-cid.ts';
import { quoteRoot } from '../../../../functions/domain/attestation/quote-root.ts';
import { failAttestation } from '../../../../functions/domain/steps/fail.ts';
import {
  type ApiRequest,
  aliceReadOnlyKey,
  bobKey,
  call,
  keyWithLimits,
  keyWithoutDefaultChain,
  world,
} from '../../../fakes/world/api-client.ts';
import { mineAndTick, selfAttest, tick } from '../../../fakes/world/steps.ts';
import { alice, chainId } from '../../../fakes/world/world.ts';
import { expectDocumented, operations, seen } from './documented.ts';

vi.mock(
  '../../../../functions/adapters/compose-services.ts',
  () => import('../../../fakes/world/composed.ts'),
);
vi.mock(
  '../../../../functions/adapters/compose-records.ts',
  () => import('../../../fakes/world/composed.ts'),
);
vi.mock(
  '../../../../functions/adapters/aws/cloudwatch-log.ts',
  () => import('../../../fakes/world/composed.ts'),
);

const routes = {
  createAttestation: create,
  getAttestation: get,
  getProof: proof,
  listAttestations: list,
  linkChild: link,
  listChains: chains,
  quotePassage: quote,
};
const unknownId = '018f0000-0000-7000-8000-0000000000ff';

async function request(operationId: keyof typeof routes, request: ApiRequest, key?: string) {
  const reply = await call(routes[operationId], request, key);
  expectDocumented(operationId, reply);
  return reply;
}

const parent = await selfAttest(world, alice, 'the old article');
const { attestation: child } = await world.create(alice, 'the new article', { url: 'https://a.example/' });

test('every answer to a creation matches the document', async () => {
  const body = { content: 'a', url: 'https://a.example/', metadata: {} };
  expect((await request('createAttestation', { body })).status).toBe(202);
  await request('createAttestation', { body });
  await request('createAttestation', { body: { content: '', chain_id: 1 } });
  await request('createAttestation', { text: '[]' });
  await request('createAttestation', { body: { content: 'b' } }, await keyWithoutDefaultChain());
  await request('createAttestation', { body: { content: 'b', chainId: 5 } });
  const key = await keyWithLimits({ attestationsPerDay: 0, inFlight: 0 });
  expect((await request('createAttestation', { body }, key)).status).toBe(429);
  await request('createAttestation', { text: `{"content":"${'a'.repeat(6_000_001)}"}` });
  world.chain.unreachable = true;
  await request('createAttestation', { body: { content: 'c', chainId } }, bobKey);
  await request('listChains', {});
  world.chain.unreachable = false;
});

test('every answer about attestations and chains matches the document', async () => {
  for (const { id } of [parent, child]) {
    const { headers } = await request('getAttestation', { id });
    await request('getAttestation', { id, headers: { 'If-None-Match': headers.ETag ?? '' } });
  }
  await failAttestation(world.services, { ...alice, id: child.id }, 'some reason');
  expect((await request('getAttestation', { id: child.id })).body.status).toBe('failed');
  await request('getAttestation', { id: 'x' });
  expect((await request('listAttestations', { query: { limit: '1' } })).headers).toHaveProperty('Link');
  await request('listAttestations', {});
  const filtered = { status: 'pending', url: 'https://a.example/', createdBefore: '2027-01-01' };
  await request('listAttestations', { query: filtered });
  await request('listAttestations', { query: { ...filtered, cursor: unknownId } });
  await request('listAttestations', { query: { limit: '0', cursor: 'x' } });
  await request('listChains', {});
});

test('every answer with a proof matches the document', async () => {
  expect((await request('getProof', { id: parent.id })).status).toBe(200);
  expect((await request('getProof', { id: child.id })).status).toBe(409);
  await request('getProof', { id: unknownId });
});

test('every answer to a link matches the document', async () => {
  const body = { childAttestationId: child.id };
  await request('linkChild', { id: parent.id, body });
  await tick(world);
  await mineAndTick(world);
  expect((await request('linkChild', { id: parent.id, body })).status).toBe(200);
  await request('linkChild', { id: parent.id, body: {} });
  await request('linkChild', { id: parent.id, body: { childAttestationId: parent.id } });
  await request('linkChild', { id: parent.id, body: { childAttestationId: unknownId } });
  await request('linkChild', { id: 'x', body });
  await request('linkChild', { id: child.id, body: { childAttestationId: parent.id } });
  await request('linkChild', { id: parent.id, text: 'a'.repeat(6_000_001) });
});

test('every answer to a quote matches the document', async () => {
  const text = 'quoted from';
  world.chain.attest(alice.authorityAddress, contentDigest(parseContent(text)), quoteRoot(text));
  world.mine(world.chain.settings.confirmations);
  const { id } = (await world.create(alice, text)).attestation;
  const body = { passage: ['quoted', 'from'] };
  expect((await request('quotePassage', { id, body })).status).toBe(200);
  await request('quotePassage', { id, body: { passage: 'not there' } });
  await request('quotePassage', { id, body: {} });
  await request('quotePassage', { id: unknownId, body });
  // The authority itself attested this content, without a quote root.
  await request('quotePassage', { id: parent.id, body });
  await request('quotePassage', { id: child.id, body });
  await request('quotePassage', { id, text: 'a'.repeat(6_000_001) });
  world.chain.unreachable = true;
  await request('quotePassage', { id, body });
  world.chain.unreachable = false;
});

test.each(Object.keys(routes) as (keyof typeof routes)[])(
  'the answers of %s without a key, with a read-only key and with a failing store match the document',
  async (id) => {
    await request(id, {}, '');
    await request(id, {}, aliceReadOnlyKey);
    for (const name of ['Error', 'ThrottlingException']) {
      world.records.readFailure = Object.assign(new Error('a secret cause'), { name });
      await request(id, {});
    }
    world.records.readFailure = undefined;
  },
);

test('every documented answer occurs, except those of the gateway', () => {
  const gateway = [429, 502, 504];
  const documented = operations
    .filter(({ operationId }) => operationId in routes)
    .flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    )
    .filter((answer) => !gateway.some((status) => answer.endsWith(` ${status}`)));
  expect([...seen].sort()).toEqual(expect.arrayContaining(documented.sort()));
});
