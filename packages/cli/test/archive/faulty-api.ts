import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { text as readBody } from 'node:stream/consumers';
import type { Attestation } from 'imprimatur-client';
import { cidOfDigest } from 'imprimatur-verifier';
import { expect } from 'vitest';
import { FakeTime, attestation as fake, serve } from '../../../client/test/fake-api.ts';
import type { ManifestEntry } from '../../src/archive/manifest.ts';
import type { Terminal } from '../../src/session.ts';
import { directoryWith, type Run, run } from '../run.ts';

/** A fault of a request: a response with this status, or a broken connection without a status. */
export interface Fault {
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  /** Whether the request takes effect in spite of the fault. */
  readonly takesEffect?: true;
}

export interface Post {
  readonly content: string;
  readonly url?: string;
  readonly chainId: number;
  readonly metadata?: object;
}

export const chain = {
  ...{ chainId: 31337, name: 'Local', registryAddress: `0x${'1'.repeat(40)}` },
  ...{ authorityAddress: `0x${'a'.repeat(40)}`, delegateAddress: `0x${'d'.repeat(40)}` },
  delegationActive: true,
};

const idOf = (number: number) => `019b76da-a800-7000-8000-${number.toString(16).padStart(12, '0')}`;

/**
 * The part of the service that an archive uses. The same content is the same attestation, unless it failed. An
 * attestation is confirmed after two reads.
 */
export class FaultyApi {
  url = '';
  readonly received: [method: string, path: string][] = [];
  /** Each successful POST, including repeated ones. */
  readonly posts: Post[] = [];
  readonly attestations: Attestation[] = [];
  readonly links: [old: string, child: string][] = [];
  chains: object[] = [chain];
  readonly failing = new Set<string>();
  /** Reads after which an attestation is confirmed. */
  readsToConfirm = 2;
  fault: (method: string, path: string, body: string) => Fault | false | undefined = () => undefined;
  readonly #ids = new Map<string, string>();
  readonly #reads = new Map<string, number>();

  static async start(): Promise<FaultyApi> {
    const api = new FaultyApi();
    api.url = `http://127.0.0.1:${await serve((request, response) => void api.#answer(request, response))}`;
    return api;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const path = url.replace('/v1/', '');
    const body = await readBody(request);
    this.received.push([method, path]);
    const fault = this.fault(method, path, body);
    const send = (status: number, answer: object, headers = {}) =>
      response.writeHead(status, headers).end(JSON.stringify(answer));
    const fail = ({ status, retryAfterSeconds: after }: Fault) => {
      if (status === undefined) return void request.socket.destroy();
      const error = status === 429 ? 'rate limit exceeded' : 'the service is busy';
      send(status, { error }, after === undefined ? {} : { 'retry-after': String(after) });
    };
    if (fault && !fault.takesEffect) return fail(fault);
    const [status, answer] = this.#handle(method, path, body === '' ? {} : JSON.parse(body));
    if (fault) return fail(fault);
    send(status, answer);
  }

  #handle(method: string, path: string, body: Record<string, never>): [number, object] {
    const [, id, rest] = /^attestations\/([^/]+)\/?(.*)$/.exec(path) ?? [];
    if (path === 'chains') return [200, { chains: this.chains }];
    if (id === undefined && method === 'POST') return this.#post(body as unknown as Post);
    if (id === undefined) return this.#list(new URLSearchParams(path.split('?')[1]));
    const attestation = this.attestations.find((candidate) => candidate.id === id);
    if (!attestation) return [404, { error: 'not found' }];
    if (rest === 'proof') return [200, { version: 1, reference: { attestationIndex: 7 } }];
    if (rest === 'child') return this.#link(attestation, body);
    return [200, this.#read(attestation)];
  }

  #post(post: Post): [number, object] {
    this.posts.push(post);
    const digest = createHash('sha256').update(post.content).digest('hex');
    const contentCid = cidOfDigest(`0x${digest}`);
    const known = this.attestations.find(({ id }) => id === this.#ids.get(contentCid));
    if (known && known.status !== 'failed') return [200, known];
    const { url, chainId } = post;
    const fields = { authorityAddress: chain.authorityAddress, ...(url !== undefined && { url }) };
    const created = fake({ id: idOf(this.attestations.length + 1), contentCid, chainId, ...fields });
    if (this.failing.has(post.content)) this.#reads.set(created.id, Number.NEGATIVE_INFINITY);
    this.#ids.set(contentCid, created.id);
    this.attestations.push(created);
    return [202, created];
  }

  #read(one: Attestation): Attestation {
    const reads = (this.#reads.get(one.id) ?? 0) + 1;
    this.#reads.set(one.id, reads);
    if (reads < -1) return this.#set(one, { status: 'failed', error: 'the registry refused: Revoked' });
    return reads < this.readsToConfirm ? one : this.#set(one, { status: 'confirmed', attestationIndex: 7 });
  }

  #set(one: Attestation, change: Partial<Attestation>): Attestation {
    const changed = { ...one, ...change };
    this.attestations[this.attestations.findIndex(({ id }) => id === one.id)] = changed;
    return changed;
  }

  #list(query: URLSearchParams): [number, object] {
    const newest = this.attestations.toReversed().slice(0, Number(query.get('limit')));
    return [200, { attestations: newest.map((attestation) => this.#read(attestation)) }];
  }

  #link(attestation: Attestation, { childAttestationId: child = '' }): [number, object] {
    this.links.push([attestation.id, child]);
    return [202, this.#set(attestation, { childAttestationId: child, childLinkTxHash: '0x1' })];
  }
}

export class Archive {
  readonly folder = directoryWith({})('.');
  readonly #api: FaultyApi;

  constructor(api: FaultyApi, files: Readonly<Record<string, string | Uint8Array>>) {
    this.#api = api;
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  attest(options: readonly string[] = ['--yes'], overrides: Partial<Terminal> = {}): Promise<Run> {
    return this.command([this.folder, ...options], overrides);
  }

  command(args: readonly string[], overrides: Partial<Terminal> = {}): Promise<Run> {
    const argv = ['attest', ...args, '--manifest', this.path('imprimatur.lock.jsonl')];
    return run({ url: this.#api.url, received: [] }, argv, { clock: new FakeTime(), ...overrides });
  }

  /** Expects one attestation for each article, and only confirmed lines in the manifest. */
  expectComplete(count: number): void {
    const contents = this.#api.attestations.map(({ contentCid }) => contentCid);
    expect([contents.length, new Set(contents).size]).toEqual([count, count]);
    const statuses = this.manifest.map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: count }, () => 'confirmed'));
  }

  get manifest(): ManifestEntry[] {
    const lines = readFileSync(this.path('imprimatur.lock.jsonl'), 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  }
}

export function articles(count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return Object.fromEntries(numbers.map((number) => [`${number}.md`, `Article ${number}.\n`]));
}
