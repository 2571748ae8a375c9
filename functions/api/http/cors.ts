/** Answer headers that a page may read. */
const exposedHeaders = ['Location', 'Link', 'Retry-After', 'ETag', 'x-request-id'];

const requestHeaders = ['Authorization', 'x-api-key', 'Content-Type', 'If-None-Match'];

/** Two hours, Chromium's maximum for a preflight answer. */
const maxAgeSeconds = 7200;

/** Returns the headers that let a page of one of these origins, or any for `*`, read an answer. */
export function corsHeaders(origins: readonly string[], origin = ''): Record<string, string> {
  if (origins.length === 0) return {};
  const allowsAll = origins.includes('*');
  // A cached answer for one origin must not be used for another.
  const vary = allowsAll ? {} : { Vary: 'Origin' };
  if (!allowsAll && !origins.includes(origin)) return vary;
  return {
    ...vary,
    'Access-Control-Allow-Origin': allowsAll ? '*' : origin,
    'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  };
}

/** Returns the headers of a preflight answer. Pages of other origins get no header that allows anything. */
export function preflightHeaders(
  origins: readonly string[],
  origin: string | undefined,
  methods: readonly string[],
): Record<string, string> {
  const headers = corsHeaders(origins, origin);
  if (!headers['Access-Control-Allow-Origin']) return headers;
  return {
    ...headers,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': requestHeaders.join(', '),
    'Access-Control-Max-Age': String(maxAgeSeconds),
  };
}
