import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { parseContent } from '../../../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../../../functions/domain/attestation/content-cid.ts';
import { readContent, readMetadata } from '../../../../functions/domain/attestation/content-records.ts';
import {
  ChainUnreachableError,
  ChainUnspecifiedError,
  ContentRevokedError,
  DelegationInactiveError,
  LimitReachedError,
} from '../../../../functions/domain/errors.ts';
import type { Caller } from '../../../../functions/domain/organization/api-keys.ts';
import { createAttestation } from '../../../../functions/domain/requests/create-attestation.ts';
import { failAttestation } from '../../../../functions/domain/steps/fail.ts';
import { withRecords } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

const text = 'An article.';
const digest = contentDigest(parseContent(text));
const rowsOf = ({ records }: World) =>
  records.all().filter(({ key, fields }) => key.table === 'attestations' && fields.status !== undefined);

test('an organization without a default chain uses that of the service', async () => {
  const world = makeWorld({ defaultChainId: chainId });
  const [elsewhere, withoutDefault] = [1, null].map(
    (defaultChainId): Caller => ({ ...alice, defaultChainId }),
  );
  if (!elsewhere || !withoutDefault) throw new Error('a caller is missing');
  expect((await world.create(elsewhere, '1', { chainId })).attestation.chainId).toBe(chainId);
  await expect(world.create(elsewhere, '2')).rejects.toThrow('chain 1');
  expect((await world.create(withoutDefault, '2')).attestation.chainId).toBe(chainId);
  await expect(makeWorld().create(withoutDefault, text)).rejects.toThrow(ChainUnspecifiedError);
  const unserved = makeWorld().create(alice, text, { chainId: 5 });
  await expect(unserved).rejects.toThrow(new DelegationInactiveError(5));
});

describe('new content', () => {
  test('is accepted only after the request is admitted', async () => {
    const world = makeWorld();
    const request = { content: parseContent(text) };
    const refused = createAttestation(
      world.services,
      alice,
      request,
      Promise.reject(new LimitReachedError(1)),
    );
    await expect(refused).rejects.toThrow(LimitReachedError);
    const admission = Promise.withResolvers<void>();
    const created = createAttestation(world.services, alice, request, admission.promise);
    // The fakes answer without timers, so their calls have ended by then.
    await immediate();
    expect(rowsOf(world)).toEqual([]);
    admission.resolve();
    expect(await created).toMatchObject({ accepted: true });
    expect(rowsOf(world)).toHaveLength(1);
  });

  test('is accepted as pending, with content and metadata stored and one execution started', async () => {
    const world = makeWorld();
    const request = { url: 'https://a.example/1', metadata: '{"by":["me",{"nested":null}],"__proto__":-0}' };
    const { attestation, accepted } = await world.create(alice, text, request);
    expect(accepted).toBe(true);
    expect(attestation).toMatchObject({ status: 'pending', url: request.url, error: null, digest });
    expect(attestation.authorityAddress).toBe(alice.authorityAddress);
    expect(world.executions.started).toEqual([`${attestation.id}-1`]);
    expect(await world.row(attestation)).toEqual(attestation);
    expect(await readContent(world.records, attestation)).toBe(text);
    expect(await readMetadata(world.records, attestation)).toEqual(request.metadata);
  });

  test('is accepted although its execution cannot be started', async () => {
    const world = makeWorld();
    world.executions.startFailure = new Error('throttled');
    const { attestation, accepted } = await world.create(alice, text);
    expect(accepted).toBe(true);
    expect(world.log.messages('error')).toEqual(['workflow not started; the sweep retries']);
    expect((await world.row(attestation)).checkAt).toBeDefined();
  });
});

describe('the same content', () => {
  test('returns the existing attestation with its first url, and starts nothing', async () => {
    const world = makeWorld();
    const first = await world.create(alice, text, { url: 'https://a.example/1' });
    const second = await world.create(alice, text, { url: 'https://a.example/2', metadata: '{"a":1}' });
    expect(second).toEqual({ attestation: first.attestation, accepted: false });
    expect(world.executions.started).toHaveLength(1);
    expect(await readMetadata(world.records, first.attestation)).toBeUndefined();
  });

  test('is attested again under a new id after a failure', async () => {
    const world = makeWorld();
    const { attestation: first } = await world.create(alice, text);
    await failAttestation(world.services, first, 'some reason');
    world.clock.advance(1);
    const { attestation: second, accepted } = await world.create(alice, text);
    expect(accepted).toBe(true);
    expect(second.id).not.toBe(first.id);
    expect(second.status).toBe('pending');
    expect((await world.row(first)).status).toBe('failed');
    expect((await world.create(alice, text)).attestation.id).toBe(second.id);
  });

  test.each([0, 1])('posted concurrently after %i failures is accepted once', async (failures) => {
    const world = makeWorld();
    for (let n = 0; n < failures; n++)
      await failAttestation(world.services, (await world.create(alice, text)).attestation, 'some reason');
    const creations = await Promise.all(Array.from({ length: 6 }, () => world.create(alice, text)));
    expect(creations.filter(({ accepted }) => accepted)).toHaveLength(1);
    expect(rowsOf(world)).toHaveLength(failures + 1);
  });

  test('is returned while the chain cannot be reached or the delegation is gone', async () => {
    const world = makeWorld();
    const { attestation } = await world.create(alice, text);
    world.chain.revokeDelegation(alice.authorityAddress);
    expect((await world.create(alice, text)).attestation.id).toBe(attestation.id);
    world.chain.unreachable = true;
    expect((await world.create(alice, text)).attestation.id).toBe(attestation.id);
  });
});

describe('content already on the chain', () => {
  test('is confirmed at once with the registry’s index and time, without delegation or execution', async () => {
    const world = makeWorld();
    world.chain.attest(bob.authorityAddress, digest);
    world.chain.attest(alice.authorityAddress, digest);
    const { timestamp } = world.chain.newest;
    world.chain.revokeDelegation(alice.authorityAddress);
    world.mine(3);
    const { attestation, accepted } = await world.create(alice, text);
    expect(accepted).toBe(false);
    expect(attestation).toMatchObject({
      ...{ status: 'confirmed', attestationIndex: 2, error: null },
      confirmedAt: new Date(timestamp * 1000).toISOString(),
    });
    expect(attestation).not.toHaveProperty('checkAt');
    expect(world.executions.started).toEqual([]);
    expect((await world.create(alice, text)).attestation).toEqual(attestation);
  });

  test('is left to the workflow until its block is final', async () => {
    const world = makeWorld();
    world.chain.revokeDelegation(alice.authorityAddress);
    world.chain.attest(alice.authorityAddress, digest);
    const { attestation, accepted } = await world.create(alice, text);
    expect(accepted).toBe(true);
    expect(attestation.status).toBe('pending');
  });

  test('is refused once it is revoked', async () => {
    const world = makeWorld();
    world.chain.attest(alice.authorityAddress, digest);
    world.chain.revokeAttestation(alice.authorityAddress, 1);
    world.mine(3);
    await expect(world.create(alice, text)).rejects.toThrow(new ContentRevokedError(chainId));
    expect(rowsOf(world)).toEqual([]);
  });

  test('replaces a failed attestation', async () => {
    const world = makeWorld();
    const { attestation: failed } = await world.create(alice, text);
    await failAttestation(world.services, failed, 'some reason');
    world.chain.attest(alice.authorityAddress, digest);
    world.mine(3);
    const { attestation } = await world.create(alice, text);
    expect(attestation.status).toBe('confirmed');
    expect(attestation.id).not.toBe(failed.id);
  });
});

test('content is refused without a delegation or with one to another address, and nothing is stored', async () => {
  const world = makeWorld();
  world.chain.revokeDelegation(alice.authorityAddress);
  await expect(world.create(alice, text)).rejects.toThrow(new DelegationInactiveError(chainId));
  world.chain.delegate(alice.authorityAddress, bob.authorityAddress);
  await expect(world.create(alice, text)).rejects.toThrow(DelegationInactiveError);
  expect(rowsOf(world)).toEqual([]);
});

test('content is accepted while the chain cannot be reached if the delegation was active when last seen', async () => {
  const world = makeWorld();
  await world.create(alice, text);
  world.chain.unreachable = true;
  const { attestation, accepted } = await world.create(alice, 'another');
  expect(accepted).toBe(true);
  expect(attestation).toMatchObject({ status: 'pending', delegateAddress: world.signer.address });
  // No delegation of bob was ever seen.
  await expect(world.create(bob, text)).rejects.toThrow(ChainUnreachableError);
  world.chain.unreachable = false;
  world.chain.revokeDelegation(alice.authorityAddress);
  await expect(world.create(alice, 'a third')).rejects.toThrow(DelegationInactiveError);
  world.chain.unreachable = true;
  await expect(world.create(alice, 'a third')).rejects.toThrow(ChainUnreachableError);
});

test('a failing store is reported even when the chain fails too', async () => {
  const world = makeWorld();
  world.chain.unreachable = true;
  const services = withRecords(world, { getAll: () => Promise.reject(new Error('store down')) });
  const created = createAttestation(services, alice, { content: parseContent(text) });
  await expect(created).rejects.toThrow('store down');
});
