import { quantiles } from '../on-chain/quantiles.ts';
import type { StackFile } from '../stack/stack-file.ts';

export interface RequestLoad extends Pick<StackFile, 'apiUrl' | 'apiKey'> {
  readonly seconds: number;
  readonly concurrency: number;
  /** Makes a content that was not posted before. */
  readonly article: () => string;
}

export interface RequestFigures {
  /** Number of answers by status; 0 stands for no answer. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Median duration of requests not refused for load (429), in milliseconds; `p99` is their 99th percentile. */
  readonly p50: number;
  readonly p99: number;
}

export interface RequestReport {
  /** Whether every request was answered, and none with 5xx. */
  readonly passed: boolean;
  readonly seconds: number;
  readonly requests: number;
  readonly routes: Readonly<Record<string, RequestFigures>>;
}

interface Answered {
  readonly name: string;
  readonly status: number;
  readonly ms: number;
}

const timeoutMs = 60_000;

/**
 * Posts, posts again, reads, lists and asks for the chains, in this order, by `concurrency` workers, until the time is
 * up. Every request is made once, whichever the answer.
 */
export async function loadRequests(load: RequestLoad): Promise<RequestReport> {
  const answered: Answered[] = [];
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt >= load.seconds * 1000;
  const worker = async () => {
    while (!isOver()) answered.push(...(await onePublisher(load, isOver)));
  };
  await Promise.all(Array.from({ length: load.concurrency }, worker));
  return report(answered, (performance.now() - startedAt) / 1000);
}

/** Makes one publisher's requests about one article. */
async function onePublisher(load: RequestLoad, isOver: () => boolean): Promise<Answered[]> {
  const all: Answered[] = [];
  const ask = async (name: string, path: string, body?: object) => {
    if (isOver()) return '';
    const { text, ...answered } = await request(load, name, path, body);
    all.push(answered);
    return text;
  };
  const post = { content: load.article() };
  const accepted = await ask('create, new content', 'attestations', post);
  await ask('create, same content again', 'attestations', post);
  const [id] = /(?<="id":")[^"]+/.exec(accepted) ?? [];
  if (id) await ask('get', `attestations/${id}`);
  await ask('list, 50 entries', 'attestations');
  await ask('chains', 'chains');
  return all;
}

async function request(
  { apiUrl, apiKey }: RequestLoad,
  name: string,
  path: string,
  body?: object,
): Promise<Answered & { readonly text: string }> {
  const before = performance.now();
  const done = (status: number, text: string) => ({ name, status, ms: performance.now() - before, text });
  try {
    const response = await fetch(`${apiUrl}/v1/${path}`, {
      headers: { authorization: `Bearer ${apiKey}` },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return done(response.status, await response.text());
  } catch {
    return done(0, '');
  }
}

function report(answered: readonly Answered[], seconds: number): RequestReport {
  const byName = Map.groupBy(answered, ({ name }) => name);
  return {
    passed: answered.length > 0 && answered.every(({ status }) => status > 0 && status < 500),
    seconds,
    requests: answered.length,
    routes: Object.fromEntries([...byName].map(([name, own]) => [name, figures(own)])),
  };
}

function figures(answered: readonly Answered[]): RequestFigures {
  const statuses = Map.groupBy(answered, ({ status }) => status);
  const served = answered.filter(({ status }) => status !== 429);
  const { p50 = 0, p99 = 0 } = quantiles(served.map(({ ms }) => ms)) ?? {};
  return {
    statuses: Object.fromEntries([...statuses].map(([status, own]) => [status, own.length])),
    p50,
    p99,
  };
}

const statusWord = (status: string) => (status === '0' ? 'no answer' : status);

/** Formats the report for a person. */
export function presentRequests({ passed, seconds, requests, routes }: RequestReport): string {
  const lines = Object.entries(routes).map(([name, { statuses, p50, p99 }]) => {
    const counts = Object.entries(statuses).map(([status, count]) => `${statusWord(status)}: ${count}`);
    return `${name}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (${counts.join(', ')})`;
  });
  return [
    ...lines,
    `${requests} requests in ${seconds.toFixed(0)} s, ${(requests / seconds).toFixed(0)} a second`,
    passed ? 'every request was answered, none with 5xx' : 'not every request was answered without a 5xx',
  ].join('\n');
}
