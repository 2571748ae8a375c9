import { quantiles } from '../on-chain/quantiles.ts';
import type { StackFile } from '../stack/stack-file.ts';

export interface RequestLoad extends Pick<StackFile, 'apiUrl' | 'apiKey'> {
  readonly seconds: number;
  readonly concurrency: number;
  /** Makes a content that was not posted before. */
  readonly article: () => string;
}

interface Answered {
  readonly name: string;
  /** 0 stands for no answer. */
  readonly status: number;
  readonly ms: number;
}

const timeoutMs = 60_000;

/**
 * Posts, posts again, reads, lists and asks for the chains, in this order, by `concurrency` workers, until the time is
 * up. Every request is made once, whichever the answer.
 */
export async function loadRequests(load: RequestLoad) {
  const answered: Answered[] = [];
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt >= load.seconds * 1000;
  const ask = async (name: string, path: string, body?: object) => {
    if (isOver()) return '';
    const { text, ...answer } = await request(load, name, path, body);
    answered.push(answer);
    return text;
  };
  const worker = async () => {
    while (!isOver()) {
      const post = { content: load.article() };
      const accepted = await ask('create, new content', 'attestations', post);
      await ask('create, same content again', 'attestations', post);
      const [id] = /(?<="id":")[^"]+/.exec(accepted) ?? [];
      if (id) await ask('get', `attestations/${id}`);
      await ask('list, 50 entries', 'attestations');
      await ask('chains', 'chains');
    }
  };
  await Promise.all(Array.from({ length: load.concurrency }, worker));
  const byName = Map.groupBy(answered, ({ name }) => name);
  return {
    /** Whether every request was answered, and none with 5xx. */
    passed: answered.length > 0 && answered.every(({ status }) => status > 0 && status < 500),
    seconds: (performance.now() - startedAt) / 1000,
    requests: answered.length,
    routes: Object.fromEntries([...byName].map(([name, own]) => [name, figures(own)])),
  };
}

async function request({ apiUrl, apiKey }: RequestLoad, name: string, path: string, body?: object) {
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

/** Numbers of answers by status, and times in milliseconds of those that were not refused for load (429). */
function figures(answered: readonly Answered[]) {
  const statuses = Map.groupBy(answered, ({ status }) => status);
  const served = answered.filter(({ status }) => status !== 429);
  const { p50 = 0, p99 = 0 } = quantiles(served.map(({ ms }) => ms)) ?? {};
  const counts = [...statuses].map(([status, own]) => [status, own.length] as const);
  return { statuses: Object.fromEntries(counts), p50, p99 };
}

/** Formats the report for a person. */
export function presentRequests(report: Awaited<ReturnType<typeof loadRequests>>): string {
  const { passed, seconds, requests, routes } = report;
  const lines = Object.entries(routes).map(([name, { statuses, p50, p99 }]) => {
    const counts = Object.entries(statuses).map(
      ([status, count]) => `${status === '0' ? 'no answer' : status}: ${count}`,
    );
    return `${name}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (${counts.join(', ')})`;
  });
  return [
    ...lines,
    `${requests} requests in ${seconds.toFixed(0)} s, ${(requests / seconds).toFixed(0)} a second`,
    passed ? 'every request was answered, none with 5xx' : 'not every request was answered without a 5xx',
  ].join('\n');
}
