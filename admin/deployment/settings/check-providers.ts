import { connectRpc, hex } from '../../../functions/adapters/chain/rpc.ts';
import { providerTransport } from '../../../functions/adapters/chain/transport.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { CommandFailedError } from '../../terminal/errors.ts';

const timeoutMilliseconds = 6_000;

/**
 * Asks each provider for the newest block, as the service does, and counts those that answer.
 * @throws when one serves another chain, or none answers; it names them by their places, not by URLs
 */
export async function checkProviders(chain: ChainSettings, urls: readonly string[]): Promise<number> {
  const failures = await Promise.all(urls.map((url) => failureOf(chain, url)));
  const strange = failures.indexOf('ProviderChainError');
  const of = (place: number) => `provider ${place + 1} of ${urls.length}`;
  if (strange >= 0) throw new CommandFailedError(`${of(strange)} does not serve chain ${chain.chainId}`);
  const answering = failures.filter((failure) => failure === undefined).length;
  if (answering === 0) throw new CommandFailedError(`no provider answers for chain ${chain.chainId}`);
  return answering;
}

async function failureOf(chain: ChainSettings, url: string): Promise<string | undefined> {
  try {
    await connectRpc(providerTransport(url, chain, timeoutMilliseconds))('eth_blockNumber', [], hex);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.name : 'Error';
  }
}
