/** Headers of an answer that a page may read. */
const exposedHeaders = ['Location', 'Link', 'Retry-After', 'ETag', 'x-request-id'];

const requestHeaders = ['Authorization', 'x-api-key', 'Content-Type', 'If-None-Match'];

/** Two hours, the longest that Chromium keeps an answer to a preflight request. */
const maxAgeSeconds = 7200;

/** Returns the headers that let a page of one of these origins, or of any for `*`, read an answer. */
export function corsHeaders(origins: readonly string[], origin = ''): Record<string, string> {
  if (origins.length === 0) return {};
  const anyone = origins.includes('*');
  // An answer that a cache keeps for one origin must not be used for another.
  const vary = anyone ? {} : { Vary: 'Origin' };
  if (!anyone && !origins.includes(origin)) return vary;
  return {
    ...vary,
    'Access-Control-Allow-Origin': anyone ? '*' : origin,
    'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  };
}

/** Headers of the answer to a preflight request, which a browser sends without a key. Another origin's page gets none that allow anything. */
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
