import { fallback, http, numberToHex, type Transport } from 'viem';

/** Limits of requests to a chain's providers. */
export interface RpcLimits {
  /** Time for one answer, all providers, retries and the check of the chain id included. */
  readonly timeoutMilliseconds: number;
  /** Time for one round over all providers, which have equal shares of it. */
  readonly totalTimeoutMilliseconds: number;
  /** Rounds after the first. */
  readonly retries: number;
}

/** A provider serves another chain. It counts as unreachable. */
class ProviderChainError extends Error {
  override readonly name = 'ProviderChainError';
}

/**
 * Creates the transport of a provider. It asks for the chain id before its first use; calls made at once share one HTTP
 * request.
 */
export function providerTransport(url: string, chainId: number, timeout: number): Transport {
  const transport = http(url, { batch: true, timeout, retryCount: 0 });
  // Outside the returned function, because viem creates the transport again for every request.
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

/**
 * Creates a transport over all providers of a chain, tried in order for each request: two requests may be answered by
 * two of them.
 */
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

/** No answer came in time. The request may still take effect. */
export class AnswerTimeoutError extends Error {
  override readonly name = 'AnswerTimeoutError';
}

/** Waits for an answer for a limited time. @throws AnswerTimeoutError when it takes longer */
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
