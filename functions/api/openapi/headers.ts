interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: object;
}

/** The headers of answers, by their names in the document's components, which are the headers' own. */
export const headers = {
  'x-request-id': {
    description: 'Names this request in the service’s log: quote it when you report a problem.',
    required: true,
    schema: { type: 'string', minLength: 1 },
  },
  'Cache-Control': {
    description: 'Attestations are private, and may change: ask again before an answer is used again.',
    required: true,
    schema: { const: 'private, no-cache' },
  },
  Location: {
    description: 'Path of the new attestation, to be polled.',
    required: true,
    schema: { type: 'string', pattern: '/v1/attestations/[0-9a-f-]{36}$' },
  },
  ETag: {
    description: 'Changes with the body; send it back as `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]+"$' },
  },
  'Retry-After': {
    description: 'Seconds after which to ask again.',
    required: false,
    schema: { type: 'integer', minimum: 1 },
  },
  Link: {
    description: 'A related address, with its relation (RFC 8288).',
    required: false,
    schema: { type: 'string', pattern: '^<[^>]+>; rel="[a-z]+"$' },
  },
  'Content-Security-Policy': {
    description: 'Lets the page load nothing from anywhere else.',
    required: true,
    schema: { type: 'string', pattern: "^default-src 'none';" },
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

/** References to those that every answer has, and to others. */
export function headerRefs(...others: HeaderName[]): Record<string, { $ref: string }> {
  const names: HeaderName[] = ['x-request-id', 'Cache-Control', ...others];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
