export const headers = {
  'x-request-id': {
    description: 'Identifies this request in the service’s log; include it when you report a problem.',
    required: true,
    schema: { type: 'string', minLength: 1 },
  },
  'Cache-Control': {
    description: 'Attestations are private and may change: revalidate before you use an answer again.',
    required: true,
    schema: { const: 'private, no-cache' },
  },
  'Strict-Transport-Security': {
    description: 'Makes browsers use https only.',
    required: true,
    schema: { const: 'max-age=31536000' },
  },
  'X-Content-Type-Options': {
    description: 'Keeps browsers from guessing another content type.',
    required: true,
    schema: { const: 'nosniff' },
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
    description: 'Seconds after which to repeat the request.',
    required: false,
    schema: { type: 'integer', minimum: 1 },
  },
  Link: {
    description: 'A related address, with its relation (RFC 8288).',
    required: false,
    schema: { type: 'string', pattern: '^<[^>]+>; rel="[a-z]+"$' },
  },
  'Content-Security-Policy': {
    description: 'Keeps the page from loading anything from elsewhere.',
    required: true,
    schema: { type: 'string', pattern: "^default-src 'none';" },
  },
} as const;

export type HeaderName = keyof typeof headers;

/** Returns references to the headers of every answer, and to others. */
export function headerRefs(...others: HeaderName[]): Record<string, { $ref: string }> {
  const names: HeaderName[] = [
    'x-request-id',
    'Cache-Control',
    'Strict-Transport-Security',
    'X-Content-Type-Options',
    ...others,
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const idOfBody = { id: '$response.body#/id' };

export const attestationLinks = {
  getAttestation: {
    operationId: 'getAttestation',
    parameters: idOfBody,
    description: 'Poll it until it is `confirmed` or `failed`.',
  },
  linkChild: {
    operationId: 'linkChild',
    parameters: idOfBody,
    description: 'Once it is `confirmed`, link it to a newer one.',
  },
};

export const listLinks = {
  getAttestation: {
    operationId: 'getAttestation',
    parameters: { id: '$response.body#/attestations/0/id' },
    description: 'The newest of the list.',
  },
};

const uuid = { type: 'string', format: 'uuid' };

export const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'ID of the attestation, in upper or lower case.',
  schema: uuid,
  example: '019b76da-a800-7000-8000-00000000a001',
};
