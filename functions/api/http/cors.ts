import type { Settings } from '../../domain/settings.ts';

/** What a page may read of an answer beside its body. */
const exposedHeaders = ['Location', 'Link', 'Retry-After', 'ETag', 'x-request-id'];

const requestHeaders = ['Authorization', 'x-api-key', 'Content-Type', 'If-None-Match'];

/** Two hours: no browser keeps an answer for longer. */
const maxAgeSeconds = 7200;

/** The origins whose pages may read answers; the whole schema was checked when the stack was made. */
export function readCorsOrigins({ SETTINGS: json }: Readonly<Record<string, string | undefined>>) {
  const { corsOrigins = [] }: Partial<Pick<Settings, 'corsOrigins'>> = JSON.parse(json || '{}');
  return corsOrigins;
}

/** The headers that let a page of one of these origins, or of any for `*`, read an answer. */
export function corsHeaders(origins: readonly string[], origin = ''): Record<string, string> {
  if (origins.length === 0) return {};
  const anyone = origins.includes('*');
  // What a cache keeps for one origin must not be shown to another.
  const vary = anyone ? {} : { Vary: 'Origin' };
  if (!anyone && !origins.includes(origin)) return vary;
  return {
    ...vary,
    'Access-Control-Allow-Origin': anyone ? '*' : origin,
    'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  };
}

/** What a page's browser is told before it sends a key; a page of another origin is told nothing. */
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
