import * as examples from './examples.ts';
import { cursorParameter, limitParameter, listLinks } from './parts.ts';
import { answer, keyedResponses, refusal } from './responses.ts';

/** Operation object of GET /v1/attestations. */
export const listOperation = {
  operationId: 'listAttestations',
  tags: ['Attestations'],
  summary: 'List attestations',
  description:
    "Lists the organisation's attestations, newest first. While there are more, `Link` has the address of the next " +
    'page; a page stays what it is while new attestations arrive.',
  parameters: [limitParameter, cursorParameter],
  responses: {
    200: answer({
      description: 'A page of attestations.',
      body: 'AttestationList',
      examples: { page: { attestations: [examples.confirmed] }, none: { attestations: [] } },
      headers: ['Link'],
      links: listLinks,
    }),
    400: refusal('The query is invalid.', ['InvalidRequest', 'Error'], ['invalidLimit', 'badRequest']),
    ...keyedResponses,
  },
};
