import { blockByNumber, type HashedBlock, newestBlock } from '../../../../functions/adapters/chain/blocks.ts';
import { connectRpc, type Rpc } from '../../../../functions/adapters/chain/rpc.ts';
import { providerErrorText } from '../../../../functions/adapters/chain/rpc-errors.ts';
import { providerTransport, withTimeout } from '../../../../functions/adapters/chain/transport.ts';
import type { Head } from '../../../../functions/domain/chain.ts';
import type { ChainSettings } from '../../../../functions/domain/settings.ts';

/** Time for one question to one provider. */
const limitMilliseconds = 8_000;

/** A provider that is asked alone, without the others of its chain. */
export interface Provider {
  /** Its host, with a number where several URLs have the same: the rest of a URL may be a key. */
  readonly name: string;
  readonly rpc: Rpc;
  /** Describes a failure of this provider, without anything of its URL but the host. */
  failure(error: unknown): string;
}

/** Names the providers of a chain and connects to each. */
export function providersOf(urls: readonly string[], settings: ChainSettings): Provider[] {
  const hosts = urls.map((url) => new URL(url).host);
  return urls.map((url, position) => {
    const host = hosts[position] ?? '';
    const number = hosts.slice(0, position + 1).filter((one) => one === host).length;
    const isAlone = hosts.filter((one) => one === host).length === 1;
    const request = connectRpc(providerTransport(url, settings, limitMilliseconds));
    return {
      name: isAlone ? host : `${host} (${number})`,
      rpc: (method, params, schema) => withTimeout(limitMilliseconds, () => request(method, params, schema)),
      failure: (error) => withoutUrl(providerErrorText(error), url),
    };
  });
}

/** What a provider says of a failure may quote the address that it was asked at. */
export function withoutUrl(text: string, url: string): string {
  const { username, password, pathname, search } = new URL(url);
  const secrets = [username, password, ...pathname.split('/'), ...search.split(/[?&=]/)]
    .flatMap((part) => [part, decodeURIComponent(part)])
    // Shorter parts are words such as `v3` or `key`.
    .filter((part) => part.length >= 6)
    .toSorted((one, other) => other.length - one.length);
  const plain = text.replaceAll(/\b(?:https?|wss?):\/\/[^\s"')]+/g, '<url>');
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '<secret>'), plain);
}

/** A provider with the newest block that it shows, or the reason for which it shows none. */
export interface ProviderLook {
  readonly provider: Provider;
  readonly head?: HashedBlock & Head;
  readonly failure?: string;
}

/** Asks every provider at once for its newest block; a provider of another chain fails. */
export function lookAtProviders(providers: readonly Provider[]): Promise<ProviderLook[]> {
  return Promise.all(
    providers.map(async (provider) => {
      try {
        return { provider, head: await newestBlock(provider.rpc) };
      } catch (error) {
        return { provider, failure: provider.failure(error) };
      }
    }),
  );
}

/** Finds a block of a provider's; `undefined` where it does not show it. */
export async function blockAt({ rpc }: Provider, blockNumber: number): Promise<HashedBlock | undefined> {
  return blockByNumber(rpc, blockNumber).catch(() => undefined);
}
