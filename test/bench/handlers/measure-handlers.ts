import { setTimeout as pause } from 'node:timers/promises';
import { checkout } from '../../../local/checkout.ts';
import { quantiles } from '../../../local/on-chain/quantiles.ts';
import { readArticle } from '../../../local/stack/read-article.ts';
import { type BenchContext, openContext } from '../hops/bench-context.ts';
import { holdBlocks } from '../hops/block-clock.ts';
import { type FunctionProcess, startFunctionProcess } from '../hops/function-process.ts';
import { createIdleService } from '../hops/idle-service.ts';
import { create, measureLife } from '../hops/measure-life.ts';
import { CallUnexpectedError, Probe } from '../hops/probe.ts';
import type { Bench, Cell, Table } from '../report/section.ts';
import { mean } from '../report/statistics.ts';
import { type HandlerCase, handlerCases } from './handler-case.ts';

/** Calls before the timed ones, so that code is compiled and connections are open. */
const warmUpCalls = 20;

/** Number of calls whose allocations are counted. */
const countedCalls = 20;

/** Enough for a full page of the list. */
const otherArticles = 50;

interface HandlerCost {
  readonly elapsedMs: readonly number[];
  readonly cpuMs: readonly number[];
  readonly allocatedBytes: readonly number[];
}

async function measureCase(functions: FunctionProcess, one: HandlerCase): Promise<HandlerCost> {
  const ask = async (call: FunctionProcess['call']) => {
    const { result, ...cost } = await call(one.file, one.event());
    const { statusCode } = result as { statusCode: number };
    if (statusCode === one.status) return cost;
    throw new CallUnexpectedError(`${one.name}: ${statusCode} instead of ${one.status}`);
  };
  const askTimes = async (times: number, call: FunctionProcess['call']) => {
    const costs = [];
    for (let done = 0; done < times; done++) costs.push(await ask(call));
    return costs;
  };
  await askTimes(warmUpCalls, functions.call);
  const timed = await askTimes(one.calls, functions.call);
  const counted = await askTimes(countedCalls, functions.callCountingAllocations);
  return {
    elapsedMs: timed.map(({ elapsedMs }) => elapsedMs),
    cpuMs: timed.map(({ cpuMs }) => cpuMs),
    allocatedBytes: counted.map(({ allocatedBytes }) => allocatedBytes),
  };
}

function row({ name, calls }: HandlerCase, { elapsedMs, cpuMs, allocatedBytes }: HandlerCost): Cell[] {
  const { p50 = 0, p99 = 0 } = quantiles(elapsedMs) ?? {};
  const tenths = (value: number) => Math.round(value * 10) / 10;
  return [
    name,
    calls,
    tenths(p50),
    tenths(p99),
    tenths(mean(cpuMs)),
    Math.round(mean(allocatedBytes) / 1000),
  ];
}

async function measureCases(
  context: BenchContext,
  functions: FunctionProcess,
  { log }: Bench,
): Promise<Table> {
  const child = (number: number) => create(context, 'create, a child', number);
  const confirmedId = await measureLife(context, 1, await child(0));
  const childIds = [await child(2), await child(3)] as const;
  const next = 4 + otherArticles;
  for (let number = 4; number < next; number++) await create(context, 'create, another', number);
  const rows: Cell[][] = [];
  for (const one of handlerCases(context, { confirmedId, childIds }, next)) {
    log(`handlers: ${one.name}`);
    rows.push(row(one, await measureCase(functions, one)));
  }
  return {
    title: 'Each route, warm, in one process',
    columns: ['request', 'calls', 'p50 ms', 'p99 ms', 'processor ms', 'kB allocated'],
    rows,
  };
}

/** Times the real handlers on the emulator and anvil, and counts their allocations. */
export async function measureHandlers(bench: Bench): Promise<Table[]> {
  const { directory } = bench;
  const stack = await bench.stack();
  const { endpoint, chain } = stack;
  const options = { prefix: 'bench-handlers', awsUrl: endpoint.url, rpcUrl: chain.rpcUrl };
  const service = await createIdleService(stack, options, `${directory}/settings.json`);
  const text = readArticle(`${checkout}/local/articles/lincoln-addresses.txt`);
  const functions = startFunctionProcess(service.variables, `${directory}/handlers.log`);
  const blocks = await holdBlocks(chain, pause);
  try {
    const context = openContext(stack, { probe: new Probe(functions, []), blocks, service }, text);
    return [await measureCases(context, functions, bench)];
  } finally {
    await functions.stop();
    await blocks.release();
  }
}
