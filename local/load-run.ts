import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, Attestation } from './api-client.ts';
import { runConcurrently } from './run-concurrently.ts';

export interface LoadRun {
  readonly api: ApiClient;
  readonly articles: readonly string[];
  readonly concurrency: number;
  /** Called once amid the posts, and once amid the reveals. */
  readonly disturb: () => unknown;
  readonly log: (line: string) => void;
  readonly timeoutSeconds: number;
}

export interface LoadOutcome {
  /** In the order of the articles, as last seen. */
  readonly attestations: readonly Attestation[];
  /** How long each POST took, retries included. */
  readonly postMs: readonly number[];
}

const pollMs = 2000;

const isOver = ({ status }: Attestation) => status === 'confirmed' || status === 'failed';

async function post({ api, articles, concurrency, disturb }: LoadRun) {
  let posted = 0;
  return runConcurrently(articles, concurrency, async (content) => {
    const startedAt = performance.now();
    const { id } = await api.create({ content });
    posted += 1;
    if (posted === Math.ceil(articles.length / 2)) disturb();
    return { id, ms: performance.now() - startedAt };
  });
}

function describe(attestations: readonly Attestation[]): string {
  const counts = ['pending', 'committed', 'confirmed', 'failed'].map((status) => {
    const count = attestations.filter((attestation) => attestation.status === status).length;
    return `${count} ${status}`;
  });
  return counts.join(', ');
}

/** Posts every article, then polls until each is confirmed or failed, or time is up. */
export async function runLoad(run: LoadRun): Promise<LoadOutcome> {
  const { api, concurrency, disturb, log, timeoutSeconds } = run;
  const startedAt = Date.now();
  const elapsed = () => `${((Date.now() - startedAt) / 1000).toFixed(0).padStart(5)} s`;
  const posts = await post(run);
  log(`${elapsed()}  posted ${posts.length}`);
  let attestations = await runConcurrently(posts, concurrency, ({ id }) => api.get(id));
  let disturbed = false;
  let shown = '';
  while (!attestations.every(isOver) && Date.now() - startedAt < timeoutSeconds * 1000) {
    await sleep(pollMs);
    const look = async (known: Attestation) => (isOver(known) ? known : api.get(known.id));
    attestations = await runConcurrently(attestations, concurrency, look);
    if (describe(attestations) !== shown) log(`${elapsed()}  ${describe(attestations)}`);
    shown = describe(attestations);
    if (!disturbed && attestations.filter(isOver).length >= attestations.length / 4) {
      disturbed = true;
      disturb();
    }
  }
  return { attestations, postMs: posts.map(({ ms }) => ms) };
}
