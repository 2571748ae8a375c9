import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { Attestation } from 'imprimatur-client';
import { cidOfDigest } from 'imprimatur-verifier';
import { expect } from 'vitest';
import { FakeTime, serve, attestation as usual } from '../../../client/test/fake-api.ts';
import type { ManifestEntry } from '../../src/archive/manifest.ts';
import type { Terminal } from '../../src/session.ts';
import { directoryWith, type Run, run } from '../run.ts';

/** A fault of a request, before or after its effect: an answer with this status, or without one a broken connection. */
export interface Fault {
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  readonly isDone?: true;
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
 * The part of the service that archives use. The same content is the same attestation, unless it failed. An attestation
 * is confirmed after two reads.
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
  looksToConfirm = 2;
  fault: (method: string, path: string, body: string) => Fault | false | undefined = () => undefined;
  readonly #ids = new Map<string, string>();
  readonly #looks = new Map<string, number>();

  static async start(): Promise<FaultyApi> {
    const api = new FaultyApi();
    api.url = `http://127.0.0.1:${await serve((request, response) => void api.#answer(request, response))}`;
    return api;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const path = url.replace('/v1/', '');
    const body = await textOf(request);
    this.received.push([method, path]);
    const fault = this.fault(method, path, body);
    const send = (status: number, answer: object, headers = {}) =>
      response.writeHead(status, headers).end(JSON.stringify(answer));
    const fail = ({ status, retryAfterSeconds: after }: Fault) => {
      if (status === undefined) return void request.socket.destroy();
      const error = status === 429 ? 'rate limit exceeded' : 'the service is busy';
      send(status, { error }, after === undefined ? {} : { 'retry-after': String(after) });
    };
    if (fault && !fault.isDone) return fail(fault);
    const [status, answer] = this.#do(method, path, body === '' ? {} : JSON.parse(body));
    if (fault) return fail(fault);
    send(status, answer);
  }

  #do(method: string, path: string, body: Record<string, never>): [number, object] {
    const [, id, rest] = /^attestations\/([^/]+)\/?(.*)$/.exec(path) ?? [];
    if (path === 'chains') return [200, { chains: this.chains }];
    if (id === undefined && method === 'POST') return this.#post(body as unknown as Post);
    if (id === undefined) return this.#list(new URLSearchParams(path.split('?')[1]));
    const one = this.attestations.find((attestation) => attestation.id === id);
    if (!one) return [404, { error: 'not found' }];
    if (rest === 'proof') return [200, { version: 1, reference: { attestationIndex: 7 } }];
    if (rest === 'child') return this.#link(one, body);
    return [200, this.#looked(one)];
  }

  #post(post: Post): [number, object] {
    this.posts.push(post);
    const digest = createHash('sha256').update(post.content).digest('hex');
    const contentCid = cidOfDigest(`0x${digest}`);
    const known = this.attestations.find(({ id }) => id === this.#ids.get(contentCid));
    if (known && known.status !== 'failed') return [200, known];
    const { url, chainId } = post;
    const own = { authorityAddress: chain.authorityAddress, ...(url !== undefined && { url }) };
    const made = usual({ id: idOf(this.attestations.length + 1), contentCid, chainId, ...own });
    if (this.failing.has(post.content)) this.#looks.set(made.id, Number.NEGATIVE_INFINITY);
    this.#ids.set(contentCid, made.id);
    this.attestations.push(made);
    return [202, made];
  }

  #looked(one: Attestation): Attestation {
    const looks = (this.#looks.get(one.id) ?? 0) + 1;
    this.#looks.set(one.id, looks);
    if (looks < -1) return this.#set(one, { status: 'failed', error: 'the registry refused: Revoked' });
    return looks < this.looksToConfirm ? one : this.#set(one, { status: 'confirmed', attestationIndex: 7 });
  }

  #set(one: Attestation, change: Partial<Attestation>): Attestation {
    const changed = { ...one, ...change };
    this.attestations[this.attestations.findIndex(({ id }) => id === one.id)] = changed;
    return changed;
  }

  #list(query: URLSearchParams): [number, object] {
    const newest = this.attestations.toReversed().slice(0, Number(query.get('limit')));
    return [200, { attestations: newest.map((one) => this.#looked(one)) }];
  }

  #link(one: Attestation, { childAttestationId: child = '' }): [number, object] {
    this.links.push([one.id, child]);
    return [202, this.#set(one, { childAttestationId: child, childLinkTxHash: '0x1' })];
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

  attest(options: readonly string[] = ['--yes'], more: Partial<Terminal> = {}): Promise<Run> {
    return this.command([this.folder, ...options], more);
  }

  command(words: readonly string[], more: Partial<Terminal> = {}): Promise<Run> {
    const argv = ['attest', ...words, '--manifest', this.path('imprimatur.lock.jsonl')];
    return run({ url: this.#api.url, received: [] }, argv, { clock: new FakeTime(), ...more });
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
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return Object.fromEntries(numbers.map((at) => [`${at}.md`, `Article ${at}.\n`]));
}
