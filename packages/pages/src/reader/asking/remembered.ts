const key = 'imprimatur-rpc-urls';

/** The storage of this browser; pages from disk and private windows may have none. */
function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

/** The RPC URLs that the reader asked to remember; empty without any. */
export function rememberedUrls(): string {
  return storage()?.getItem(key) ?? '';
}

/** Remembers RPC URLs, where that can be done; forgets them if there are none. */
export function rememberUrls(urls: string): void {
  try {
    if (urls === '') storage()?.removeItem(key);
    else storage()?.setItem(key, urls);
  } catch {
    // It is full: nothing is lost but a convenience.
  }
}
