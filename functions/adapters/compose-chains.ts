import { SSMClient } from '@aws-sdk/client-ssm';
import type { Chain } from '../domain/chain.ts';
import { ChainUnservedError } from '../domain/errors.ts';
import type { Log } from '../domain/services.ts';
import type { ChainSettings, Settings } from '../domain/settings.ts';
import { applyChanges, noChanges } from '../domain/settings-changes.ts';
import { awsTimeouts } from './aws/client.ts';
import { type RefreshingCache, refreshingCache } from './aws/refreshing-cache.ts';
import { newerRpcUrls, type StoredRpcUrls } from './aws/ssm-rpc-urls.ts';
import { readSettingsChanges, type StoredChanges } from './aws/ssm-settings-changes.ts';
import { connectProviders, type Providers } from './chain/providers.ts';
import type { RpcLimits } from './chain/transport.ts';
import { viemChain } from './chain/viem-chain.ts';
import { readEnvironment } from './environment.ts';

interface ChainsOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly deployed: Settings;
  readonly limits: RpcLimits;
  readonly log: Log;
  readonly ssm?: SSMClient;
  readonly now?: () => number;
}

/** Placeholder for changes not read yet, which may include a lower cap or budget. */
const unread: StoredChanges = { version: 0, changes: noChanges };

type Connected = StoredRpcUrls & { readonly providers: Providers };

/** Composes the chains. The RPC URLs and setting changes in SSM are read again while in use. */
export function composeChains(options: ChainsOptions) {
  const { variables, deployed, ssm = new SSMClient(awsTimeouts) } = options;
  const changes = changesCache(ssm, options);
  const providers = new Map(
    deployed.chains.map((chain) => [chain.chainId, providersCache(ssm, options, chain)] as const),
  );
  let applied = variables.SETTINGS_CHANGES ? unread : undefined;
  let current = deployed;
  let chains = createChains(options, current, providers, applied === unread);
  return {
    get settings() {
      return current;
    },
    /** @throws ChainUnservedError */
    chain: (chainId: number) => {
      const chain = chains.get(chainId);
      if (!chain) throw new ChainUnservedError(chainId);
      return chain;
    },
    /** Reads setting changes again if their last read is old, and applies them. It never fails. */
    refresh: async () => {
      if (!variables.SETTINGS_CHANGES) return;
      const stored = await changes.get();
      if (stored === applied) return;
      applied = stored;
      current = applyChanges(deployed, stored.changes);
      chains = createChains(options, current, providers, false);
    },
  };
}

function changesCache(
  ssm: SSMClient,
  { variables, log, now = Date.now }: ChainsOptions,
): RefreshingCache<StoredChanges> {
  const { SETTINGS_CHANGES: name = '' } = variables;
  return refreshingCache({
    // Returning the same object keeps the chains that were composed from it.
    read: async (last) => {
      const stored = await readSettingsChanges(ssm, name);
      return last && last !== unread && JSON.stringify(stored) === JSON.stringify(last) ? last : stored;
    },
    initial: unread,
    onFail: (error) => log.error('settings unreadable', error, { parameter: name }),
    now,
  });
}

function providersCache(
  ssm: SSMClient,
  { variables, limits, log, now = Date.now }: ChainsOptions,
  chain: ChainSettings,
): RefreshingCache<Connected> {
  const { chainId } = chain;
  const read = async (last: Connected | undefined): Promise<Connected> => {
    const { RPC_URLS_PATH: path } = readEnvironment(variables, ['RPC_URLS_PATH']);
    const stored = await newerRpcUrls(ssm, path, chainId, last);
    if (!stored && last) return last;
    const { encrypted = '', urls = [] } = stored ?? {};
    return { encrypted, urls, providers: connectProviders(urls, chain, limits) };
  };
  return refreshingCache({
    read,
    onFail: (error) => log.error('settings unreadable', error, { parameter: `RPC URLs of chain ${chainId}` }),
    now,
  });
}

function createChains(
  { limits: { timeoutMilliseconds } }: ChainsOptions,
  { chains }: Settings,
  providers: ReadonlyMap<number, RefreshingCache<Connected>>,
  settingsUnread: boolean,
): ReadonlyMap<number, Chain> {
  const composed = new Map<number, Chain>();
  for (const settings of chains) {
    const connected = providers.get(settings.chainId);
    if (!connected) continue;
    const connect = async () => (await connected.get()).providers;
    const onUnreachable = () => connected.markStale();
    composed.set(
      settings.chainId,
      viemChain({ settings, settingsUnread, connect, timeoutMilliseconds, onUnreachable }),
    );
  }
  return composed;
}
