import { setTimeout as sleep } from 'node:timers/promises';
import type { Attestation, ImprimaturClient } from 'imprimatur-client';
import { runConcurrently } from '../on-chain/run-concurrently.ts';

export type LoadedApi = Pick<ImprimaturClient, 'attest' | 'listAll'>;

export interface LoadRun {
  readonly api: LoadedApi;
  readonly articles: readonly string[];
  readonly concurrency: number;
  /** Called once during the posts, and once during the reveals. */
  readonly disturb: () => unknown;
  readonly log: (line: string) => void;
  readonly timeoutSeconds: number;
  readonly pollMs: number;
}

export interface LoadOutcome {
  /** Attestations as last seen, in the order of the articles. */
  readonly attestations: readonly Attestation[];
  /** Durations of the POST requests, retries included. */
  readonly postMs: readonly number[];
}

const isOver = (attestation: Attestation | undefined) =>
  attestation?.status === 'confirmed' || attestation?.status === 'failed';

/** Posts every article, and disturbs amid the posts. */
async function post({ api, articles, concurrency, disturb }: LoadRun) {
  let posted = 0;
  return runConcurrently(articles, concurrency, async (content) => {
    const startedAt = performance.now();
    const { id } = (await api.attest(content)).attestation;
    posted += 1;
    if (posted === Math.ceil(articles.length / 2)) disturb();
    return { id, ms: performance.now() - startedAt };
  });
}

function describe(attestations: readonly Attestation[]): string {
  const counts = ['pending', 'committed', 'confirmed', 'failed'].map(
    (status) => `${attestations.filter((one) => one.status === status).length} ${status}`,
  );
  return counts.join(', ');
}

/**
 * Reads each attestation's present state, but for those that had ended before. It reads page by page: single reads
 * would take functions away from the service.
 */
async function look(
  api: LoadedApi,
  ids: readonly string[],
  seen: readonly Attestation[],
): Promise<Attestation[]> {
  const known = new Map(seen.map((attestation) => [attestation.id, attestation]));
  const [oldest = ''] = ids.filter((id) => !isOver(known.get(id))).sort();
  for await (const attestation of api.listAll()) {
    // Ids sort by time.
    if (attestation.id < oldest) break;
    known.set(attestation.id, attestation);
  }
  return ids.map((id) => {
    const attestation = known.get(id);
    if (attestation) return attestation;
    throw new Error(`the API lists no attestation ${id}, which it accepted`);
  });
}

/** Posts every article, then polls until each is confirmed or failed, or time is up. */
export async function runLoad(run: LoadRun): Promise<LoadOutcome> {
  const { api, disturb, log, timeoutSeconds, pollMs } = run;
  const startedAt = Date.now();
  const say = (line: string) => log(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${line}`);
  const posts = await post(run);
  const ids = posts.map(({ id }) => id);
  say(`posted ${posts.length}`);
  let attestations = await look(api, ids, []);
  let disturbed = false;
  while (!attestations.every(isOver) && Date.now() - startedAt < timeoutSeconds * 1000) {
    const shown = describe(attestations);
    await sleep(pollMs);
    attestations = await look(api, ids, attestations);
    if (describe(attestations) !== shown) say(describe(attestations));
    if (!disturbed && attestations.filter(isOver).length >= attestations.length / 4) {
      disturbed = true;
      disturb();
    }
  }
  return { attestations, postMs: posts.map(({ ms }) => ms) };
}
