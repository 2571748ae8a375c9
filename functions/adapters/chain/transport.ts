import { fallback, http, numberToHex, type Transport } from 'viem';

export interface RpcLimits {
  /** For one answer, all providers, retries and the check of the chain id included. */
  readonly timeoutMilliseconds: number;
  /** For one round over all providers, who have equal shares of it. */
  readonly totalTimeoutMilliseconds: number;
  /** Rounds after the first. */
  readonly retries: number;
}

/** A provider that serves another chain is as good as down. */
class ProviderChainError extends Error {
  override readonly name = 'ProviderChainError';
}

/** Asks a provider for its chain id before its first use; calls made at once share one HTTP request. */
export function providerTransport(url: string, chainId: number, timeout: number): Transport {
  const transport = http(url, { batch: true, timeout, retryCount: 0 });
  // Out here, because viem makes the transport anew for every request.
  let checked: Promise<void> | undefined;
  return (options) => {
    const inner = transport(options);
    const check = async () => {
      const served = await inner.request({ method: 'eth_chainId' });
      if (served !== numberToHex(chainId))
        throw new ProviderChainError(`a provider does not serve chain ${chainId}`);
    };
    const request: typeof inner.request = async (call) => {
      checked ??= check();
      try {
        await checked;
      } catch (error) {
        checked = undefined;
        throw error;
      }
      return inner.request(call);
    };
    return { ...inner, request };
  };
}

/** All providers of a chain, tried in order for each request: two requests may be answered by two of them. */
export function rpcTransport(
  urls: readonly string[],
  chainId: number,
  limits: Pick<RpcLimits, 'totalTimeoutMilliseconds' | 'retries'>,
): Transport {
  const timeout = Math.floor(limits.totalTimeoutMilliseconds / urls.length);
  return fallback(
    urls.map((url) => providerTransport(url, chainId, timeout)),
    { retryCount: limits.retries, rank: false },
  );
}

/** Nobody answered in time. What was asked may still happen. */
export class AnswerTimeoutError extends Error {
  override readonly name = 'AnswerTimeoutError';
}

/** @throws AnswerTimeoutError when the answer takes longer. */
export async function withTimeout<Answer>(milliseconds: number, ask: () => Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AnswerTimeoutError(`no answer in ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([ask(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
