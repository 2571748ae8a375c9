import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { beforeAll, expect, test, vi } from 'vitest';
import { useBrowser } from '../../../test/browser/use-browser.ts';
import { startLoopbackServer } from '../../../test/fakes/rpc/loopback-server.ts';
import { aliceKey } from '../../../test/fakes/world/api-client.ts';
import { ImprimaturClient } from '../src/imprimatur.ts';
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

/** The web server starts first, because the allowed origins in the handlers' settings contain its port. */
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

let url: string;
/** Runs a script with a client in a page. @returns its result, or the name of its error */
let inPage: (origin: string, script: string) => Promise<unknown>;

beforeAll(async () => {
  const api = await startLoopbackServer(serveHandlers);
  url = api.url;
  return async () => {
    pages.server.close();
    pages.server.closeAllConnections();
    await api.close();
  };
});

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

test('the client attests, reads and lists from a page of a configured origin', async () => {
  const result = await inPage(
    pages.origin,
    `const first = await client.attest('An article from a browser.', { metadata: { desk: 'web' } });
     const again = await client.attest('An article from a browser.');
     await client.attest('Another one.');
     const { status } = await client.get(first.attestation.id);
     const ids = [];
     for await (const { id } of client.listAll({ limit: 1 })) ids.push(id);
     return [first.created, again.created, status, ids];`,
  );
  const client = new ImprimaturClient({ url, apiKey: aliceKey, tries: 1 });
  const { attestations } = await client.list({ limit: 200 });
  expect(result).toEqual([true, false, 'pending', attestations.map(({ id }) => id)]);
  expect(attestations).toHaveLength(2);
});

test('the client fails in a page of another origin', async () => {
  expect(await inPage(pages.foreignOrigin, 'return await client.list();')).toBe('ConnectionFailedError');
});
