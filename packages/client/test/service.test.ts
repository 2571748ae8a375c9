import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useBrowser } from '../../../test/browser/use-browser.ts';
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

/** The web server starts first, because the handlers read their allowed origins from its port. */
const pages = await vi.hoisted(async () => {
  const { createServer: makeServer } = await import('node:http');
  const server = makeServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  process.env.SETTINGS = JSON.stringify({ corsOrigins: [origin] });
  process.env.ROUTES = JSON.stringify({
    '/v1/attestations': ['POST', 'GET'],
    '/v1/attestations/{id}': ['GET'],
  });
  return { server, origin, foreignOrigin: `http://localhost:${port}` };
});

let api: Server;
let url: string;
let client: ImprimaturClient;

beforeAll(async () => {
  api = createServer((request, response) => void serveHandlers(request, response));
  await once(api.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  client = new ImprimaturClient({ url, apiKey: aliceKey, tries: 1 });
});

afterAll(() => {
  for (const server of [api, pages.server]) {
    server?.close();
    server?.closeAllConnections();
  }
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

describe('the client in a browser', () => {
  /** Runs a script with a client in a page. @returns its result, or the name of its error */
  let inPage: (origin: string, script: string) => Promise<unknown>;

  beforeAll(async () => {
    // Bundled as for a web page.
    const bundle = await build({
      entryPoints: ['packages/client/src/imprimatur.ts'],
      ...{ bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' },
    });
    pages.server.on('request', (request, response) => {
      const isScript = request.url === '/client.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? bundle.outputFiles[0]?.text : '<!doctype html><title>An editor</title>');
    });
  });

  useBrowser(async (browser) => {
    const page = await browser.newPage();
    inPage = async (origin, script) => {
      await page.goto(`${origin}/`);
      const options = JSON.stringify({ url, apiKey: aliceKey, tries: 1 });
      return page.evaluate(`(async () => {
        const { ImprimaturClient } = await import('/client.js');
        const client = new ImprimaturClient(${options});
        try { ${script} } catch (error) { return error.name; }
      })()`);
    };
  });

  it('attests, reads and lists from a page of a configured origin', async () => {
    const result = await inPage(
      pages.origin,
      `const first = await client.attest('An article from a browser.', { metadata: { desk: 'web' } });
       const again = await client.attest('An article from a browser.');
       await client.attest('Another one.');
       const { status } = await client.get(first.attestation.id);
       const ids = [];
       for await (const { id } of client.listAll({ limit: 2 })) ids.push(id);
       return [first.created, again.created, status, ids];`,
    );
    const { attestations } = await client.list({ limit: 200 });
    expect(result).toEqual([true, false, 'pending', attestations.map(({ id }) => id)]);
    expect(attestations.length).toBeGreaterThan(4);
  });

  it('fails in a page of another origin', async () => {
    expect(await inPage(pages.foreignOrigin, 'return await client.list();')).toBe('ConnectionFailedError');
  });
});
