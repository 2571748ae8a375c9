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

/** Remembers RPC URLs, or forgets them if there are none. @returns whether that can be done here */
export function rememberUrls(urls: string): boolean {
  try {
    const kept = storage();
    if (urls === '') kept?.removeItem(key);
    else kept?.setItem(key, urls);
    return kept !== undefined;
  } catch {
    return false;
  }
}
