import { parseProof, parseQuoteProof } from 'imprimatur-verifier';
import { expect, test, vi } from 'vitest';
import { handler as proof } from '../../../functions/api/get-proof.ts';
import { handler as quote } from '../../../functions/api/quote-passage.ts';
import { attestationRow } from '../../../functions/domain/attestation/attestation-records.ts';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../../functions/domain/attestation/content-cid.ts';
import { quoteRoot } from '../../../functions/domain/attestation/quote-root.ts';
import { registryCodeHash } from '../../fakes/chain/simulated-chain.ts';
import { bobKey, call, world } from '../../fakes/world/api-client.ts';
import { confirmOne, selfAttest } from '../../fakes/world/steps.ts';
import { alice } from '../../fakes/world/world.ts';

vi.mock('../../../functions/adapters/compose-services.ts', () => import('../../fakes/world/composed.ts'));

const published = (text: string) => confirmOne(world, alice, text);

test('`getProof` returns the proof file of a confirmed attestation, which the verifier accepts', async () => {
  const row = await published('proven');
  const { status, body, text } = await call(proof, { id: row.id });
  expect(status).toBe(200);
  const { contentCid, chainId, registryAddress, authorityAddress, attestationIndex, quoteRoot } = row;
  const [commitTransaction, revealTransaction, time] = [row.commitTxHash, row.revealTxHash, row.confirmedAt];
  const block = world.chain.minedByNonce(world.signer.address, 1)?.blockNumber;
  expect([revealTransaction, block]).toEqual([expect.anything(), expect.anything()]);
  expect(body).toStrictEqual({
    version: 1,
    reference: { contentCid, chainId, registryAddress, authorityAddress, attestationIndex },
    content: { quoteRoot, quoteTree: 'taanq-46' },
    attested: { commitTransaction, revealTransaction, block, time },
    registry: { codeHash: registryCodeHash },
  });
  expect(JSON.parse(JSON.stringify(parseProof(text)))).toEqual(body);
});

test('`getProof` omits what the chain does not show, and the proof file is valid', async () => {
  const row = await published('proven while the chain is unreachable');
  const { revealTxHash: revealTransaction, commitTxHash: commitTransaction, confirmedAt: time } = row;
  world.chain.unreachable = true;
  const offline = await call(proof, { id: row.id });
  world.chain.unreachable = false;
  expect(world.log.messages('error')).toEqual(['chain evidence not read', 'chain evidence not read']);
  expect(offline).toMatchObject({
    status: 200,
    body: { attested: { commitTransaction, revealTransaction, time } },
  });
  expect(parseProof(offline.text)).toMatchObject({ attested: { block: undefined }, registry: undefined });
  world.chain.hidesReceipts = true;
  const lagging = await call(proof, { id: row.id });
  world.chain.hidesReceipts = false;
  expect(parseProof(lagging.text)).toMatchObject({
    attested: { block: undefined },
    registry: { codeHash: registryCodeHash },
  });
});

test('`getProof` omits a block whose time differs from that of the entry', async () => {
  const row = await published('confirmed at another time');
  const confirmedAt = new Date(Date.parse(row.confirmedAt ?? '') + 1000).toISOString();
  await world.records.update({ key: attestationRow(row), expect: {}, set: { confirmedAt } });
  const { body } = await call(proof, { id: row.id });
  expect(body.attested).toEqual({
    commitTransaction: row.commitTxHash,
    revealTransaction: row.revealTxHash,
    time: confirmedAt,
  });
});

test('`getProof` omits quote root and transactions of an attestation that the authority made itself', async () => {
  const { id, confirmedAt } = await selfAttest(world, alice, 'revealed by the authority');
  const { body, text } = await call(proof, { id });
  expect([body.content, body.attested]).toEqual([{}, { time: confirmedAt }]);
  expect(text).not.toContain('quoteRoot');
  expect(parseProof(text).content.quoteRoot).toBeUndefined();
});

test('`getProof` returns no proof before confirmation, and none of another organization', async () => {
  const { attestation } = await world.create(alice, 'still pending');
  expect(await call(proof, { id: attestation.id })).toMatchObject({
    status: 409,
    body: { error: 'attestation not yet confirmed (status pending)' },
  });
  const { id } = await selfAttest(world, alice, 'not of bob');
  for (const [attestationId, key] of [
    [id, bobKey],
    ['x', undefined],
  ] as const)
    expect(await call(proof, { id: attestationId }, key)).toMatchObject({
      status: 404,
      body: { error: 'attestation not found' },
    });
});

const article = 'What the council knew, and when it knew it.\n';
world.chain.attest(alice.authorityAddress, contentDigest(parseContent(article)), quoteRoot(article));
world.mine(world.chain.settings.confirmations);
const { id } = (await world.create(alice, article)).attestation;

test('`quotePassage` returns the quote proof', async () => {
  const { status, text } = await call(quote, { id, body: { passage: 'the council knew' } });
  expect(status).toBe(200);
  expect(parseQuoteProof(text)).toMatchObject({
    root: quoteRoot(article),
    quote: { segments: [{ text: 'the council knew', chunk: 0, offset: 5 }] },
  });
});

const misshaped = 'must be a text, or a list of 1 to 1000 texts';

test.each([
  [{}, ['passage'], 'is missing'],
  [{ passage: '' }, ['passage'], 'must not be empty'],
  [{ passage: [] }, ['passage'], misshaped],
  [{ passage: ['a', ''] }, ['passage', 1], 'must not be empty'],
  [{ passage: Array(1001).fill('a') }, ['passage'], misshaped],
  [{ passage: 'a'.repeat(1_048_577) }, ['passage'], 'must be at most 1,048,576 characters'],
  [{ passage: ['a', 1] }, ['passage'], misshaped],
  [{ passage: 7 }, ['passage'], misshaped],
  [{ Passage: 'a' }, ['Passage'], 'did you mean passage?'],
  [{ quote: 'a' }, ['quote'], 'did you mean passage?'],
])(
  '`quotePassage` answers 400 to an invalid body, with the path and the reason (case %#)',
  async (body, path, message) => {
    const reply = await call(quote, { id, body });
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toContainEqual({ path, message });
  },
);

test('`quotePassage` logs neither content nor passage', async () => {
  await call(quote, { id, body: { passage: 'the council knew' } });
  await call(quote, { id, body: { passage: 'the mayor knew' } });
  expect(JSON.stringify(world.log)).not.toMatch(/council|mayor/);
});
