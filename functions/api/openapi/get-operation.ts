import * as examples from './examples.ts';
import { attestationLinks, headerRefs, idParameter } from './parts.ts';
import { answer, keyedResponses, refusal } from './responses.ts';

/** Operation object of GET /v1/attestations/{id}. */
export const getOperation = {
  operationId: 'getAttestation',
  tags: ['Attestations'],
  summary: 'Get an attestation',
  description: 'Shows one attestation of the organisation. `Retry-After` says when there may be news.',
  parameters: [
    idParameter,
    {
      name: 'If-None-Match',
      in: 'header',
      description: 'An `ETag` that is known: while nothing has changed, the answer is 304 without a body.',
      schema: { type: 'string' },
      example: '"kQ3yQmXoM0uC3h8xq1pH2w"',
    },
  ],
  responses: {
    200: answer({
      description: 'The attestation.',
      body: 'Attestation',
      examples: {
        pending: examples.pending,
        committed: examples.committed,
        confirmed: examples.confirmed,
        failed: examples.failed,
        linked: examples.linked,
      },
      headers: ['ETag', 'Retry-After'],
      links: attestationLinks,
    }),
    304: {
      description: 'Nothing has changed since the answer with that `ETag`.',
      headers: headerRefs('ETag', 'Retry-After'),
    },
    404: refusal(
      'The id is unknown, malformed or of another organisation: all look the same.',
      ['Error'],
      ['attestationMissing'],
    ),
    ...keyedResponses,
  },
};
