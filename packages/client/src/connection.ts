import { ArgumentInvalidError } from './errors.ts';
import { type Clock, systemClock } from './time.ts';

/** Options of `ImprimaturClient`. */
export interface ClientOptions {
  /** Base URL of the service, without `/v1`. Must be https, except on localhost. */
  readonly url: string;
  /** API key of the organization. Do not use it in public web pages, whose readers could extract it. */
  readonly apiKey: string;
  /** Allows http for any host, which sends the key in clear text. Only for networks on which nobody else can read it. */
  readonly allowHttp?: boolean | undefined;
  /** Function to use instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Timeout of a request; 35 by default, which is longer than the service takes. */
  readonly timeoutSeconds?: number | undefined;
  /** Maximum number of attempts while errors are temporary; 6 by default. */
  readonly tries?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Returns a number from 0 to 1, to spread retries over time; `Math.random` by default. */
  readonly random?: (() => number) | undefined;
}

export type Connection = Readonly<ReturnType<typeof connectionOf>>;

/** Checks the options and applies the defaults. @throws ArgumentInvalidError, which never quotes the key */
export function connectionOf(options: ClientOptions) {
  checkPresence(options);
  const { fetch: send = globalThis.fetch, timeoutSeconds = 35, tries = 6 } = options;
  if (!(tries >= 1)) throw new ArgumentInvalidError('tries must be at least 1');
  return {
    /** Base URL without a trailing slash. */
    baseUrl: checkedUrl(options),
    apiKey: checkedKey(options.apiKey),
    // A browser's `fetch` fails when it is called as a method of another object.
    fetch: ((input, init) => send(input, init)) satisfies typeof fetch,
    timeoutSeconds: checkedTimeout(timeoutSeconds),
    tries,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** In JavaScript, or with an unset environment variable, an option may be missing. */
function checkPresence(options: Partial<ClientOptions> | undefined): void {
  const missing = (['url', 'apiKey'] as const).filter((name) => typeof options?.[name] !== 'string');
  if (missing.length === 0) return;
  throw new ArgumentInvalidError(
    `missing ${missing.join(' and ')}; use new ImprimaturClient({ url, apiKey })`,
  );
}

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

/** `fetch` would refuse an invalid header value and quote it in the error. */
function checkedKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ArgumentInvalidError('apiKey must be a key that the service issued, without spaces');
}

/** Checks a timeout, which may be infinite. @throws ArgumentInvalidError */
export function checkedTimeout(seconds: number): number {
  if (typeof seconds === 'number' && seconds > 0) return seconds;
  throw new ArgumentInvalidError('timeoutSeconds must be a number above 0');
}
