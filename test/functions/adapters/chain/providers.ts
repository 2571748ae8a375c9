import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { jsonLog } from '../../../../functions/adapters/aws/cloudwatch-log.ts';
import { connectProviders } from '../../../../functions/adapters/chain/providers.ts';
import { viemChain } from '../../../../functions/adapters/chain/viem-chain.ts';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { type ChainSettings, chainSettingsSchema } from '../../../../functions/domain/settings.ts';
import { startLoopbackServer } from '../../../fakes/rpc/loopback-server.ts';
import { type Answer, RpcServer } from '../../../fakes/rpc/rpc-server.ts';

export type Answerer = ConstructorParameters<typeof RpcServer>[0];

/** Starts a provider that gives these answers until the test ends. */
export async function startRpc(answer: Answerer) {
  const server = new RpcServer(answer);
  onTestFinished(() => server.stop());
  return { server, url: await server.start() };
}

/** Starts a provider that answers request bodies until the test ends. */
export async function startRawRpc(answer: (body: string) => Promise<string>, status = 200): Promise<string> {
  const { url, close } = await startLoopbackServer(async (incoming, outgoing) => {
    outgoing.statusCode = status;
    outgoing.end(await answer(await text(incoming)));
  });
  onTestFinished(close);
  return url;
}

/** Starts a provider that answers everything with this HTTP status. */
export function startStatus(status: number, body = '<html>go away</html>'): Promise<string> {
  return startRawRpc(async () => body, status);
}

/** Starts a proxy that delays each answer of the provider. */
export function startDelayed(url: string, milliseconds: number): Promise<string> {
  return startRewritingProxy(url, (body) => sleep(milliseconds, body));
}

/** Starts a proxy that rewrites the bodies of the provider's answers. */
function startRewritingProxy(
  url: string,
  rewrite: (body: string) => string | Promise<string>,
): Promise<string> {
  return startRawRpc(async (body) => rewrite(await (await fetch(url, { method: 'POST', body })).text()));
}

/** Returns a URL at which nothing listens. */
export async function unusedUrl(): Promise<string> {
  const { server, url } = await startRpc(() => ({ result: null }));
  await server.stop();
  return url;
}

/** An answer, or a function that makes it from the call's parameters. */
export type Method = Answer | ((params: readonly unknown[]) => Answer | undefined);

export const chainId = 31_337;

export const blockHash = `0x${'1'.repeat(64)}` as const;

/** The newest block of `startHealthy`. */
export const block = { number: '0x10', timestamp: '0x20', transactions: [], hash: blockHash };

const methods: Readonly<Record<string, Method>> = {
  eth_chainId: { result: '0x7a69' },
  eth_getBlockByNumber: { result: block },
  eth_getTransactionCount: { result: '0x5' },
};

/** Starts a provider of the chain that answers `null` to unknown methods. */
export function startHealthy(others: Readonly<Record<string, Method>> = {}) {
  return startRpc(({ method, params = [] }) => {
    const answer = others[method] ?? methods[method] ?? { result: null };
    return typeof answer === 'function' ? answer(params) : answer;
  });
}

export const signerAddress = `0x${'3'.repeat(40)}` as const;
export const registryAddress = `0x${'4'.repeat(40)}` as const;

/** For tests with silent providers: long enough for the others to answer even when the machine is busy. */
export const shortTimeout = { roundTimeoutMilliseconds: 4_000 };

interface Options {
  /** Long by default, so that no answer depends on the load of the machine. */
  readonly roundTimeoutMilliseconds?: number;
  readonly retries?: number;
  readonly confirmations?: number | 'finalized';
  readonly rpcBatchSize?: number;
  readonly rollup?: ChainSettings['rollup'];
  readonly now?: () => number;
}

export function chainOf(urls: readonly string[], options: Options = {}): Chain {
  const {
    roundTimeoutMilliseconds = 30_000,
    retries = 0,
    now,
    confirmations = 1,
    rpcBatchSize,
    rollup,
  } = options;
  const given = { chainId, name: 'Local', registryAddress, confirmations, rpcBatchSize, rollup };
  const settings = chainSettingsSchema.parse(given);
  const providers = connectProviders(urls, settings, { roundTimeoutMilliseconds, retries }, now);
  return viemChain({ settings, connect: async () => providers, timeoutMilliseconds: 60_000 });
}

export function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

export function logTextOf(error: unknown): string {
  const lines: string[] = [];
  const log = jsonLog(
    (line) => lines.push(line),
    () => new Date(),
  );
  log.error('failed', error);
  return lines.join();
}
