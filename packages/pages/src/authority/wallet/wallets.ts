/** A provider of EIP-1193. */
export interface WalletProvider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): unknown;
  removeListener?(event: string, listener: (value: unknown) => void): unknown;
}

export interface Wallet {
  readonly id: string;
  readonly name: string;
  /** A data: URI, so that nothing is loaded. */
  readonly icon: string | undefined;
  readonly provider: WalletProvider;
}

function isProvider(value: unknown): value is WalletProvider {
  return typeof value === 'object' && value !== null && 'request' in value;
}

/** Time for wallets to announce themselves before `window.ethereum` is used. */
const announcementMilliseconds = 300;

const stringField = (value: unknown, name: string): string | undefined => {
  const text = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof text === 'string' ? text : undefined;
};

/** Reads the wallet that an EIP-6963 event announces. Returns `undefined` for an invalid event. */
function parseAnnouncement(event: Event): Wallet | undefined {
  const detail: unknown = event instanceof CustomEvent ? event.detail : undefined;
  if (typeof detail !== 'object' || detail === null || !('info' in detail && 'provider' in detail))
    return undefined;
  const { info, provider } = detail;
  const [id, name, icon] = [stringField(info, 'uuid'), stringField(info, 'name'), stringField(info, 'icon')];
  if (!id || !name || !isProvider(provider)) return undefined;
  return { id, name, icon: icon?.startsWith('data:image/') ? icon : undefined, provider };
}

/**
 * Finds the browser's wallets by EIP-6963. Uses `window.ethereum`, which several wallets may overwrite, only if none
 * announces itself.
 * @param onWallet called once for each wallet
 * @returns a function that ends the search
 */
export function discoverWallets(onWallet: (wallet: Wallet) => void): () => void {
  const seen = new Set<string>();
  const add = (wallet: Wallet | undefined) => {
    if (!wallet || seen.has(wallet.id)) return;
    seen.add(wallet.id);
    onWallet(wallet);
  };
  const listen = (event: Event) => add(parseAnnouncement(event));
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
