import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { ImprimaturClient } from 'imprimatur-client';
import { type Hex, sha256, toHex } from 'viem';
import { expect, onTestFinished } from 'vitest';
import { apiKey, type FakeApi, FakeTime, serve } from '../../client/test/fake-api.ts';
import { FakeChain, FakeNode } from '../../verifier/test/fake-node.ts';
import { referenceTo } from '../../verifier/test/quote/quotable.ts';
import { runPublisher } from '../src/run-publisher.ts';
import type { Terminal } from '../src/session.ts';

export interface Run {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

/** Runs the publisher's command against a fake API, without real waiting. */
export async function run({ url }: FakeApi, argv: readonly string[], overrides: Partial<Terminal> = {}) {
  let out = '';
  let error = '';
  const exitCode = await runPublisher(argv, {
    variables: { IMPRIMATUR_URL: url, IMPRIMATUR_API_KEY: apiKey },
    stackFile: '/nowhere/stack.json',
    signal: new AbortController().signal,
    connect: (options) =>
      new ImprimaturClient({ ...options, clock: new FakeTime(), random: () => 0, tries: 2 }),
    readInput: async () => new Uint8Array(),
    isColored: false,
    write: (text) => {
      out += typeof text === 'string' ? text : Buffer.from(text).toString('latin1');
    },
    errors: {
      write: (text) => {
        error += text;
      },
    },
    ...overrides,
  });
  return { exitCode, out, error };
}

const matching = (text: string | RegExp) =>
  typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);

/** Expects a run to end with this exit code and this text on stderr, and with nothing on stdout. */
export async function expectError(ended: Promise<Run>, exitCode: number, text: string | RegExp) {
  expect(await ended).toMatchObject({ exitCode, out: '', error: matching(text) });
}

/** Expects a run to end with this exit code and this text on stdout. */
export async function expectOutput(ended: Promise<Run>, exitCode: number, text: string | RegExp) {
  expect(await ended).toMatchObject({ exitCode, out: matching(text) });
}

/** An unreachable service, for commands that do not use it. */
export const noService = { url: 'http://127.0.0.1:1', received: [] };

/** Runs a command without URL and key of a service. */
export const runWithoutService = (argv: readonly string[], overrides: Partial<Terminal> = {}) =>
  run(noService, argv, { variables: {}, ...overrides });

export const file = (content: string | Uint8Array) => directoryWith({ 'article.md': content })('article.md');

export function directoryWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const directory = mkdtempSync(join(tmpdir(), 'publisher-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return (name: string) => join(directory, name);
}

/** A chain with an attestation of the text with this quote root, behind an RPC endpoint. */
export async function chainWith(text: string, quoteRoot?: Hex) {
  const chain = new FakeChain();
  const { authorityAddress: authority } = referenceTo(text);
  chain.attest({ digest: sha256(toHex(text)), authority, ...(quoteRoot && { quoteRoot }) });
  const node = new FakeNode(chain);
  const port = await serve(async (request, response) => {
    const result = await node
      .request((await json(request)) as Parameters<FakeNode['request']>[0])
      .then((answer) => ({ result: answer }))
      .catch(({ code, message, data }) => ({ error: { code, message, data } }));
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...result }));
  });
  return { chain, rpcUrl: `http://127.0.0.1:${port}` };
}

/** Serves this body for every domain, or HTTP 404. @returns the requested paths, and variables that name the server */
export async function serveDomain(
  body: string | Uint8Array | undefined,
  type = 'text/plain',
  status = body === undefined ? 404 : 200,
) {
  const requests: string[] = [];
  const port = await serve((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  return { requests, variables: { IMPRIMATUR_DOMAIN_ORIGIN: `http://127.0.0.1:${port}` } };
}
