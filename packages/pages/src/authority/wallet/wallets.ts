/** A wallet's provider as EIP-1193 has it. */
export interface WalletProvider {
  request(question: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): unknown;
  removeListener?(event: string, listener: (value: unknown) => void): unknown;
}

/** A wallet in this browser. */
export interface Wallet {
  readonly id: string;
  readonly name: string;
  /** A picture as a data: URI; nothing is loaded for it. */
  readonly icon: string | undefined;
  readonly provider: WalletProvider;
}

function isProvider(value: unknown): value is WalletProvider {
  return typeof value === 'object' && value !== null && 'request' in value;
}

/** Longest that wallets take to announce themselves, after which the one provider of old is looked for. In milliseconds. */
const announcementMilliseconds = 300;

const textIn = (value: unknown, name: string): string | undefined => {
  const text = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof text === 'string' ? text : undefined;
};

/** The wallet that an event of EIP-6963 announces; `undefined` for one that announces none. */
function announced(event: Event): Wallet | undefined {
  const detail: unknown = event instanceof CustomEvent ? event.detail : undefined;
  if (typeof detail !== 'object' || detail === null || !('info' in detail && 'provider' in detail))
    return undefined;
  const { info, provider } = detail;
  const [id, name, icon] = [textIn(info, 'uuid'), textIn(info, 'name'), textIn(info, 'icon')];
  if (!id || !name || !isProvider(provider)) return undefined;
  return { id, name, icon: icon?.startsWith('data:image/') ? icon : undefined, provider };
}

/**
 * Finds the wallets of this browser by EIP-6963. `window.ethereum`, for which several wallets may compete, is taken only
 * where none announces itself.
 *
 * @param found called with each wallet, once
 * @returns function that ends the search
 */
export function discoverWallets(found: (wallet: Wallet) => void): () => void {
  const seen = new Set<string>();
  const add = (wallet: Wallet | undefined) => {
    if (!wallet || seen.has(wallet.id)) return;
    seen.add(wallet.id);
    found(wallet);
  };
  const listen = (event: Event) => add(announced(event));
  window.addEventListener('eip6963:announceProvider', listen);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  const timer = setTimeout(() => {
    const provider: unknown = Reflect.get(window, 'ethereum');
    if (seen.size === 0 && isProvider(provider))
      add({ id: 'window.ethereum', name: "This browser's wallet", icon: undefined, provider });
  }, announcementMilliseconds);
  return () => {
    clearTimeout(timer);
    window.removeEventListener('eip6963:announceProvider', listen);
  };
}
