import { setTimeout as pause } from 'node:timers/promises';
import { checkout } from '../../../local/checkout.ts';
import type { LoopbackProxy } from '../../../local/process/loopback-proxy.ts';
import { readArticle } from '../../../local/stack/read-article.ts';
import type { Stack } from '../../../local/stack/stack.ts';
import type { Bench, Table } from '../report/section.ts';
import { openContext } from './bench-context.ts';
import { type BlockClock, holdBlocks } from './block-clock.ts';
import { type RecordedRequest, startCountingProxy } from './counting-proxy.ts';
import { startFunctionProcess } from './function-process.ts';
import { createIdleService, type IdleService } from './idle-service.ts';
import { create, measureLife } from './measure-life.ts';
import { hopTables } from './present-hops.ts';
import { Probe } from './probe.ts';

/** Long compared with the emulator and anvil, so that elapsed time alone nearly shows the hops. */
const measuringDelayMs = 100;

/** Enough for a full page of the list. */
const otherArticles = 50;

interface Way {
  readonly recorded: RecordedRequest[];
  readonly proxies: { readonly aws: LoopbackProxy; readonly chain: LoopbackProxy };
  setDelay(ms: number): void;
}

async function openWay({ endpoint, chain }: Stack): Promise<Way> {
  const recorded: RecordedRequest[] = [];
  let delay = 0;
  const through = (target: string) =>
    startCountingProxy({ target, delayMs: () => delay, record: (request) => recorded.push(request) });
  const [aws, toChain] = await Promise.all([through(endpoint.url), through(chain.rpcUrl)]);
  return {
    recorded,
    proxies: { aws, chain: toChain },
    setDelay(ms) {
      delay = ms;
    },
  };
}

interface Running {
  readonly stack: Stack;
  readonly way: Way;
  readonly service: IdleService;
  readonly blocks: BlockClock;
}

async function measureLives(
  { stack, way, service, blocks }: Running,
  { directory, log }: Bench,
): Promise<Table[]> {
  const functions = startFunctionProcess(service.variables, `${directory}/functions.log`);
  const text = readArticle(`${checkout}/local/articles/lincoln-addresses.txt`);
  const probe = new Probe(functions, way.recorded);
  const context = openContext(stack, { probe, blocks, service }, text);
  try {
    way.setDelay(measuringDelayMs);
    log('first calls: create, commit, reveal, confirm, link');
    const childId = await create(context, 'create, first call', 0);
    await measureLife(context, 1, childId);
    const [opening, ...others] = probe.take();
    way.setDelay(0);
    for (let number = 2; number < 2 + otherArticles; number++)
      await create(context, 'create, another', number);
    probe.take();
    way.setDelay(measuringDelayMs);
    log('the same calls, warm');
    await measureLife(context, 2 + otherArticles, childId);
    const first = opening ? [{ ...opening, name: 'create, new content' }, ...others] : others;
    const contentBytes = Buffer.byteLength(context.article(1));
    return hopTables(probe.take(), first, { delayMs: measuringDelayMs, contentBytes });
  } finally {
    await functions.stop();
  }
}

/**
 * Counts the requests of each route and state to other services, by running the real handlers behind counting proxies.
 */
export async function measureHops(bench: Bench): Promise<Table[]> {
  const stack = await bench.stack();
  const way = await openWay(stack);
  const { aws, chain } = way.proxies;
  try {
    const options = { prefix: 'bench-hops', awsUrl: aws.url, rpcUrl: chain.url };
    const service = await createIdleService(stack, options, `${bench.directory}/settings.json`);
    const blocks = await holdBlocks(stack.chain, pause);
    try {
      return await measureLives({ stack, way, service, blocks }, bench);
    } finally {
      await blocks.release();
    }
  } finally {
    await Promise.all([aws.close(), chain.close()]);
  }
}
