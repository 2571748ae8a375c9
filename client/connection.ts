import { type Clock, systemClock } from './clock.ts';
import { ArgumentInvalidError } from './errors.ts';
import { checkedTimeout } from './seconds.ts';

export interface ClientOptions {
  /** The service's base URL; `/v1/…` comes after it. It is https, but for this machine's own addresses. */
  readonly url: string;
  /** A key of the organisation. Whoever can read a page's memory has it: not for pages that readers open. */
  readonly apiKey: string;
  /** Lets the key go in clear text over http to any host: only for a network that nobody else reads. */
  readonly allowHttp?: boolean | undefined;
  /** Instead of the platform's own. */
  readonly fetch?: typeof fetch | undefined;
  /** How long one request may take; 35 seconds by default, longer than the service itself takes. */
  readonly timeoutSeconds?: number | undefined;
  /** How often a request is made at most while refusals pass; 6 by default. */
  readonly tries?: number | undefined;
  readonly clock?: Clock | undefined;
  /** From 0 up to 1; spreads the retries of many clients. */
  readonly random?: (() => number) | undefined;
}

/** Where requests go, and how. */
export interface Connection {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly timeoutSeconds: number;
  readonly tries: number;
  readonly clock: Clock;
  readonly random: () => number;
}

/** @throws ArgumentInvalidError, which never quotes the key */
export function connectionOf(options: ClientOptions): Connection {
  const { fetch: send = globalThis.fetch, timeoutSeconds = 35, tries = 6 } = options;
  if (!(tries >= 1)) throw new ArgumentInvalidError('tries must be at least 1');
  return {
    baseUrl: checkedUrl(options),
    apiKey: checkedKey(options.apiKey),
    // A browser's own refuses to be called as another object's method.
    fetch: (input, init) => send(input, init),
    timeoutSeconds: checkedTimeout(timeoutSeconds),
    tries,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** As `URL` writes them. */
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

function checkedUrl({ url: text, allowHttp }: ClientOptions): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ArgumentInvalidError('url must be the http or https URL of the service');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ArgumentInvalidError('url must have no user, no query and no fragment: /v1/… comes after it');
  }
  if (url.protocol === 'http:' && !allowHttp && !loopbackHosts.includes(url.hostname)) {
    throw new ArgumentInvalidError(
      'url is http, over which anybody on the way could read the key: use https',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** What a header cannot hold is refused here: `fetch` would, too, and quote the key. */
function checkedKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ArgumentInvalidError('apiKey must be a key as the service issued it, without spaces');
}
