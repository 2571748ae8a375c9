import { parseProof } from 'imprimatur-verifier';
import { expect, test, vi } from 'vitest';
import { handler } from '../../../functions/api/get-proof.ts';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../functions/domain/attestation/attestation-records.ts';
import { confirmStep } from '../../../functions/domain/steps/confirm.ts';
import { registryCodeHash } from '../../fakes/chain/simulated-chain.ts';
import { bobKey, call, world } from '../../fakes/world/api-client.ts';
import { attested, committed, mineAndTick, reveal } from '../../fakes/world/steps.ts';
import { alice } from '../../fakes/world/world.ts';

vi.mock('../../../functions/adapters/compose-services.ts', () => import('../../fakes/world/composed.ts'));

/** Attests a text through the service, up to `confirmed`. */
async function published(text: string): Promise<Attestation> {
  const row = await committed(world, alice, text);
  await reveal(world, row);
  await mineAndTick(world, world.chain.settings.confirmations);
  await confirmStep(world.services, row);
  return world.row(row);
}

test('gives the proof file of a confirmed attestation, which the verifier reads', async () => {
  const row = await published('proven');
  const { status, body, text } = await call(handler, { id: row.id });
  expect(status).toBe(200);
  const { contentCid, chainId, registryAddress, authorityAddress, attestationIndex, quoteRoot } = row;
  const [commitTransaction, revealTransaction, time] = [row.commitTxHash, row.revealTxHash, row.confirmedAt];
  const block = world.chain.minedAt(world.signer.address, 1)?.blockNumber;
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

test('leaves out what the chain does not show, and is a proof file all the same', async () => {
  const row = await published('proven while the chain is away');
  const { revealTxHash: revealTransaction, commitTxHash: commitTransaction, confirmedAt: time } = row;
  world.chain.unreachable = true;
  const away = await call(handler, { id: row.id });
  world.chain.unreachable = false;
  expect(world.log.messages('error')).toEqual(['chain evidence not read', 'chain evidence not read']);
  expect(away).toMatchObject({
    status: 200,
    body: { attested: { commitTransaction, revealTransaction, time } },
  });
  expect(parseProof(away.text)).toMatchObject({ attested: { block: undefined }, registry: undefined });
  world.chain.hidesReceipts = true;
  const lagging = await call(handler, { id: row.id });
  world.chain.hidesReceipts = false;
  expect(parseProof(lagging.text)).toMatchObject({
    attested: { block: undefined },
    registry: { codeHash: registryCodeHash },
  });
});

test('names no block whose time is not that of the entry', async () => {
  const row = await published('confirmed at another time');
  const confirmedAt = new Date(Date.parse(row.confirmedAt ?? '') + 1000).toISOString();
  await world.records.update({ key: attestationRow(row), expect: {}, set: { confirmedAt } });
  const { body } = await call(handler, { id: row.id });
  expect(body.attested).toEqual({
    commitTransaction: row.commitTxHash,
    revealTransaction: row.revealTxHash,
    time: confirmedAt,
  });
});

test('says nothing of the quote root and transactions of what the authority attested itself', async () => {
  const { id, confirmedAt } = await attested(world, alice, 'revealed by the authority');
  const { body, text } = await call(handler, { id });
  expect([body.content, body.attested]).toEqual([{}, { time: confirmedAt }]);
  expect(text).not.toContain('quoteRoot');
  expect(parseProof(text).content.quoteRoot).toBeUndefined();
});

test('has none before it is confirmed, and none of others', async () => {
  const { attestation } = await world.create(alice, 'pending yet');
  expect(await call(handler, { id: attestation.id })).toMatchObject({
    status: 409,
    body: { error: 'attestation not yet confirmed (status pending)' },
  });
  const { id } = await attested(world, alice, 'not of bob');
  for (const [of, key] of [
    [id, bobKey],
    ['x', undefined],
  ] as const)
    expect(await call(handler, { id: of }, key)).toMatchObject({
      status: 404,
      body: { error: 'attestation not found' },
    });
});
