import { ArgumentInvalidError } from './errors.ts';
import { type Clock, systemClock } from './time.ts';

/** Options of `ImprimaturClient`. */
export interface ClientOptions {
  /** Base URL of the service, which `/v1/…` follows. It is https, except for this machine's own addresses. */
  readonly url: string;
  /** A key of the organization. Every reader of a page's memory has it: not for pages that readers open. */
  readonly apiKey: string;
  /** Lets the key go in clear text over http to any host: only for a network that no other party reads. */
  readonly allowHttp?: boolean | undefined;
  /** Replaces the platform's own `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Limit of one request; 35 seconds by default, longer than the service itself takes. */
  readonly timeoutSeconds?: number | undefined;
  /** Greatest number of tries of a request while refusals may pass; 6 by default. */
  readonly tries?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Random number from 0 up to 1, which spreads the retries of many clients. */
  readonly random?: (() => number) | undefined;
}

/** The settings with which requests are sent. */
export type Connection = Readonly<ReturnType<typeof connectionOf>>;

/** Checks the options and fills in the defaults. @throws ArgumentInvalidError, which never quotes the key */
export function connectionOf(options: ClientOptions) {
  checkPresence(options);
  const { fetch: send = globalThis.fetch, timeoutSeconds = 35, tries = 6 } = options;
  if (!(tries >= 1)) throw new ArgumentInvalidError('tries must be at least 1');
  return {
    /** Base URL without a slash at its end. */
    baseUrl: checkedUrl(options),
    apiKey: checkedKey(options.apiKey),
    // A browser's own `fetch` fails when it is called as another object's method.
    fetch: ((input, init) => send(input, init)) satisfies typeof fetch,
    timeoutSeconds: checkedTimeout(timeoutSeconds),
    tries,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** Without types, or with an environment variable that is not set, an option may be missing. */
function checkPresence(options: Partial<ClientOptions> | undefined): void {
  const missing = (['url', 'apiKey'] as const).filter((name) => typeof options?.[name] !== 'string');
  if (missing.length === 0) return;
  throw new ArgumentInvalidError(
    `missing ${missing.join(' and ')}; use new ImprimaturClient({ url, apiKey })`,
  );
}

/** Hosts as `URL` writes them. */
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

function checkedUrl({ url: text, allowHttp }: ClientOptions): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ArgumentInvalidError('url must be the http or https URL of the service');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ArgumentInvalidError('url must have no user, query or fragment');
  }
  if (url.protocol === 'http:' && !allowHttp && !loopbackHosts.includes(url.hostname)) {
    throw new ArgumentInvalidError('url is http, so others could read the key; use https');
  }
  return url.href.replace(/\/+$/, '');
}

/** A key that a header cannot hold is refused here: `fetch` would refuse it too, and quote it. */
function checkedKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ArgumentInvalidError('apiKey must be a key that the service issued, without spaces');
}

/** Checks a caller's time-out; Infinity is allowed. @throws ArgumentInvalidError */
export function checkedTimeout(seconds: number): number {
  if (typeof seconds === 'number' && seconds > 0) return seconds;
  throw new ArgumentInvalidError('timeoutSeconds must be a number above 0');
}
