import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startLoopbackServer } from '../../../test/fakes/rpc/loopback-server.ts';
import { aliceKey, world } from '../../../test/fakes/world/api-client.ts';
import { selfAttest } from '../../../test/fakes/world/steps.ts';
import { alice, chainId } from '../../../test/fakes/world/world.ts';
import {
  AttestationUnconfirmedError,
  DelegationInactiveError,
  ImprimaturClient,
  NotFoundError,
  RequestInvalidError,
} from '../src/imprimatur.ts';
import { id as unknownId } from './fake-api.ts';
import { serveHandlers } from './serve-handlers.ts';

vi.mock(
  '../../../functions/adapters/compose-services.ts',
  () => import('../../../test/fakes/world/composed.ts'),
);
vi.mock(
  '../../../functions/adapters/compose-records.ts',
  () => import('../../../test/fakes/world/composed.ts'),
);
vi.mock(
  '../../../functions/adapters/aws/cloudwatch-log.ts',
  () => import('../../../test/fakes/world/composed.ts'),
);

let client: ImprimaturClient;

beforeAll(async () => {
  const { url, close } = await startLoopbackServer(serveHandlers);
  client = new ImprimaturClient({ url, apiKey: aliceKey, tries: 1 });
  return close;
});

describe("the client with the service's own handlers", () => {
  it('attests, and returns the same attestation for the same content', async () => {
    const first = await client.attest('An article.\r\n', { metadata: { a: 1 } });
    expect(first).toMatchObject({ created: true, attestation: { status: 'pending', chainId } });
    const second = await client.attest('An article.\r\n');
    expect(second).toEqual({ created: false, attestation: first.attestation });
    expect(await client.get(first.attestation.id)).toMatchObject(first.attestation);
  });

  it('links attestations', async () => {
    const parent = await selfAttest(world, alice, 'the older');
    const { attestation: child } = await client.attest('the newer');
    expect(await client.link(parent.id, child.id)).toMatchObject({
      queued: true,
      attestation: { id: parent.id, childAttestationId: child.id, childLinkTxHash: null },
    });
    await expect(client.link(child.id, parent.id)).rejects.toThrow(AttestationUnconfirmedError);
  });

  it('returns proofs of confirmed attestations, and chains', async () => {
    const { id, contentCid } = await selfAttest(world, alice, 'to be proven');
    expect(await client.waitUntilConfirmed(id)).toMatchObject({ id, status: 'confirmed', error: null });
    expect(await client.proof(id)).toMatchObject({ version: 1, reference: { contentCid, chainId } });
    expect(await client.chains()).toMatchObject([{ chainId, delegationActive: true }]);
  });

  it('throws errors that name the cause', async () => {
    const nowhere = await client.attest('elsewhere', { chainId: 999 }).catch((error: unknown) => error);
    expect(nowhere).toBeInstanceOf(DelegationInactiveError);
    expect(nowhere).toMatchObject({ chainId: 999, helpUrl: expect.stringMatching(/\/v1\/chains$/) });
    await expect(client.get(unknownId)).rejects.toThrow(NotFoundError);
    const invalid = await client.attest('', { url: 'x' }).catch((error: unknown) => error);
    expect(invalid).toBeInstanceOf(RequestInvalidError);
    expect(invalid).toMatchObject({ issues: [{ path: ['content'] }, { path: ['url'] }] });
  });
});
