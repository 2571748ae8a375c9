import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { aliceKey, world } from '../../../test/fakes/world/api-client.ts';
import { attested } from '../../../test/fakes/world/steps.ts';
import { alice, chainId } from '../../../test/fakes/world/world.ts';
import {
  AttestationUnconfirmedError,
  DelegationInactiveError,
  ImprimaturClient,
  NotFoundError,
  RequestInvalidError,
} from '../src/imprimatur.ts';
import { id as unknownId } from './attestations.ts';
import { FakeTime } from './fake-time.ts';
import { serveHandlers } from './serve-handlers.ts';

vi.mock(
  '../../../functions/adapters/compose-services.ts',
  () => import('../../../test/fakes/world/composed.ts'),
);
vi.mock(
  '../../../functions/adapters/compose-records.ts',
  () => import('../../../test/fakes/world/composed.ts'),
);

const server = createServer(serveHandlers);
let client: ImprimaturClient;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new ImprimaturClient({ url, apiKey: aliceKey, clock: new FakeTime(), tries: 1 });
});
afterAll(() => void server.close());

describe('with the service’s own handlers, the client', () => {
  it('attests, and finds the same attestation when the content repeats', async () => {
    const first = await client.attest('An article.\r\n', { metadata: { a: 1 } });
    expect(first).toMatchObject({ created: true, attestation: { status: 'pending', chainId } });
    const second = await client.attest('An article.\r\n');
    expect(second).toEqual({ created: false, attestation: first.attestation });
    expect(await client.get(first.attestation.id)).toMatchObject(first.attestation);
  });

  it('waits, and says that the service goes on when time is up', async () => {
    const { attestation } = await client.attest('An article without luck.');
    const waited = client.waitUntilConfirmed(attestation.id, { timeoutSeconds: 12 });
    await expect(waited).rejects.toThrow('not confirmed after 12 s, still pending; it goes on');
  });

  it('ends its wait with a confirmed attestation', async () => {
    const { id } = await attested(world, alice, 'attested before');
    expect(await client.waitUntilConfirmed(id)).toMatchObject({ id, status: 'confirmed', error: null });
  });

  it('goes through all pages', async () => {
    for (const text of ['one', 'two', 'three']) {
      world.clock.advance(1);
      await client.attest(text);
    }
    const { attestations } = await client.list({ limit: 200 });
    const ids: string[] = [];
    for await (const { id } of client.listAll({ limit: 2 })) ids.push(id);
    expect(ids.length).toBeGreaterThan(4);
    expect(ids).toEqual(attestations.map(({ id }) => id));
  });

  it('links', async () => {
    const parent = await attested(world, alice, 'the older');
    const { attestation: child } = await client.attest('the newer');
    expect(await client.link(parent.id, child.id)).toMatchObject({
      queued: true,
      attestation: { id: parent.id, childAttestationId: child.id, childLinkTxHash: null },
    });
    await expect(client.link(child.id, parent.id)).rejects.toThrow(AttestationUnconfirmedError);
  });

  it('gives the proof of what is confirmed', async () => {
    const { id, contentCid } = await attested(world, alice, 'to be proven');
    expect(await client.proof(id)).toMatchObject({ version: 1, reference: { contentCid, chainId } });
    const { attestation } = await client.attest('not yet to be proven');
    await expect(client.proof(attestation.id)).rejects.toThrow(AttestationUnconfirmedError);
  });

  it('lists the chains', async () => {
    expect(await client.chains()).toMatchObject([{ chainId, delegationActive: true }]);
  });

  it('names what is wrong', async () => {
    const nowhere = await client.attest('elsewhere', { chainId: 999 }).catch((error: unknown) => error);
    expect(nowhere).toBeInstanceOf(DelegationInactiveError);
    expect(nowhere).toMatchObject({ chainId: 999, helpUrl: expect.stringMatching(/\/v1\/chains$/) });
    await expect(client.get(unknownId)).rejects.toThrow(NotFoundError);
    const invalid = await client.attest('', { url: 'x' }).catch((error: unknown) => error);
    expect(invalid).toBeInstanceOf(RequestInvalidError);
    expect(invalid).toMatchObject({ issues: [{ path: ['content'] }, { path: ['url'] }] });
  });
});
