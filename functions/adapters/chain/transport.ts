import { http, numberToHex, type Transport } from 'viem';
import type { ChainSettings } from '../../domain/settings.ts';
import { throwIfGatewayRefused } from './rpc-errors.ts';

export interface RpcLimits {
  /** Time for one answer, including all providers, retries and the check of the chain ID. */
  readonly timeoutMilliseconds: number;
  /** Time for one round over all providers, in equal shares. */
  readonly roundTimeoutMilliseconds: number;
  /** Rounds after the first. */
  readonly retries: number;
}

export type ServedChain = Pick<ChainSettings, 'chainId' | 'rpcBatchSize'>;

class ProviderChainError extends Error {
  override readonly name = 'ProviderChainError';
}

/** Fetches the answers to a batch. viem matches them by order, so a missing one would shift the others. */
const fetchAnswers: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  throwIfGatewayRefused(response);
  const calls: unknown = JSON.parse(String(init?.body));
  if (!response.ok || !Array.isArray(calls)) return response;
  const text = await response.text();
  const idsOf = (items: readonly { id?: unknown }[]) => items.map((item) => item?.id).sort();
  const answers: unknown = JSON.parse(text);
  // The answer may be a single error for the whole batch.
  if (!Array.isArray(answers) || String(idsOf(answers)) !== String(idsOf(calls)))
    throw new Error(`a provider does not answer each of ${calls.length} calls`);
  return new Response(text, response);
};

/** Creates a provider's transport. It checks the chain ID first. Simultaneous calls share one HTTP request. */
export function providerTransport(
  url: string,
  { chainId, rpcBatchSize }: ServedChain,
  timeout: number,
): Transport {
  const batch = { batchSize: rpcBatchSize };
  const transport = http(url, { batch, fetchFn: fetchAnswers, timeout, retryCount: 0 });
  // Declared outside the returned function, so that all its calls share one check.
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

/** No answer came in time. The request may still take effect. */
export class AnswerTimeoutError extends Error {
  override readonly name = 'AnswerTimeoutError';
}

/** Waits for an answer for a limited time. @throws AnswerTimeoutError when it takes longer */
export async function withTimeout<Answer>(
  milliseconds: number,
  request: () => Promise<Answer>,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AnswerTimeoutError(`no answer in ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([request(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
