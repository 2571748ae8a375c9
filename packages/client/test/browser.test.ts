import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openBrowser } from '../../../test/browser/open-browser.ts';
import { aliceKey } from '../../../test/fakes/world/api-client.ts';
import { serveHandlers } from './serve-handlers.ts';

vi.mock(
  '../../../functions/adapters/compose-services.ts',
  () => import('../../../test/fakes/world/composed.ts'),
);
vi.mock(
  '../../../functions/adapters/compose-records.ts',
  () => import('../../../test/fakes/world/composed.ts'),
);

/** A page's server, opened before the handlers read which origins may use them. */
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
let apiUrl: string;
let browser: Browser;
let page: Page;

/** The client as a page's bundler makes it. */
async function clientServer(): Promise<RequestListener> {
  const bundle = await build({
    entryPoints: ['packages/client/src/imprimatur.ts'],
    ...{ bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' },
  });
  return (request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? bundle.outputFiles[0]?.text : '<!doctype html><title>An editor</title>');
  };
}

/** A browser is unpacked on first use, beside other tests. In milliseconds. */
const startTimeout = 60_000;

beforeAll(async () => {
  pages.server.on('request', await clientServer());
  api = createServer((request, response) => void serveHandlers(request, response));
  await once(api.listen(0, '127.0.0.1'), 'listening');
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  browser = await openBrowser();
}, startTimeout);

afterAll(async () => {
  await browser?.close();
  for (const server of [api, pages.server]) {
    server?.close();
    server?.closeAllConnections();
  }
});

beforeEach(async () => {
  page = await browser.newPage();
});

afterEach(() => page?.close());

/** Runs a page's script with a client of the service. @returns what it returns, or the name of its error */
async function inPage(origin: string, script: string): Promise<unknown> {
  await page.goto(`${origin}/`);
  const options = JSON.stringify({ url: apiUrl, apiKey: aliceKey, tries: 1 });
  return page.evaluate(`(async () => {
    const { ImprimaturClient } = await import('/client.js');
    const client = new ImprimaturClient(${options});
    try { ${script} } catch (error) { return error.name; }
  })()`);
}

test('a page of a configured origin attests, reads and lists, over as many pages as that takes', async () => {
  const found = await inPage(
    pages.origin,
    `const first = await client.attest('An article from a browser.', { metadata: { desk: 'web' } });
     const again = await client.attest('An article from a browser.');
     await client.attest('Another one.');
     const { status } = await client.get(first.attestation.id);
     const ids = [];
     for await (const { id } of client.listAll({ limit: 1 })) ids.push(id);
     return [first.created, again.created, status, ids.length, ids.includes(first.attestation.id)];`,
  );
  expect(found).toEqual([true, false, 'pending', 2, true]);
});

test('it is told of refusals by name', async () => {
  expect(await inPage(pages.origin, `await client.attest('');`)).toBe('RequestInvalidError');
});

test('a page of another origin gets nothing', async () => {
  expect(await inPage(pages.foreignOrigin, 'return await client.list();')).toBe('ConnectionFailedError');
});
