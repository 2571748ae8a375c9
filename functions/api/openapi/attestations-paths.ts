import { bodyRef } from './components.ts';
import * as examples from './examples.ts';
import { listParameters } from './list-parameters.ts';
import { answer, attestResponses, bodyResponses, json, keyedResponses, refusal } from './responses.ts';

const createOperation = {
  operationId: 'createAttestation',
  tags: ['Attestations'],
  summary: 'Create an attestation',
  description:
    'Accepts a text to attest and responds at once; the transactions follow. Poll the attestation until it is ' +
    '`confirmed` or `failed`. Posting the same content again is safe: as long as the first attempt has not failed, ' +
    'it is returned and nothing is duplicated. Unknown fields are ignored, except names that look like a ' +
    'known one, as `chain_id` looks like `chainId`: those are refused.',
  requestBody: {
    required: true,
    content: json(bodyRef('CreateRequest'), {
      article: examples.article.request,
      contentOnly: { content: examples.article.request.content },
      onOneChain: { ...examples.article.request, chainId: examples.chainId },
    }),
  },
  responses: {
    200: answer({
      description:
        'Identical content of the same organization is on the chain or in progress; nothing was queued.',
      body: 'Creation',
      examples: {
        repeated: examples.creation,
        onChain: { ...examples.creation, status: 'confirmed' },
        revoked: { ...examples.creation, status: 'confirmed', revokedAt: examples.revoked.revokedAt },
      },
    }),
    202: answer({
      description: 'A new attestation, whose commit and reveal are queued.',
      body: 'Creation',
      examples: { accepted: examples.creation },
      headers: ['Location'],
    }),
    400: refusal('The request is invalid, or names no chain and there is no default.', [
      'invalidField',
      'misspelledField',
      'noObject',
      'noChain',
      'testKey',
      'badRequest',
    ]),
    409: refusal(
      'No active delegation for the chain, or the content was revoked there. `Link` leads to the list of chains with ' +
        'the address to delegate to.',
      ['noDelegation', 'revoked'],
    ),
    ...keyedResponses,
    ...attestResponses,
    ...bodyResponses,
    503: refusal(
      'The store is busy, or the chain cannot be reached and the service has never seen the delegation active.',
      ['busy', 'chainUnreachable'],
    ),
  },
};

const listOperation = {
  operationId: 'listAttestations',
  tags: ['Attestations'],
  summary: 'List attestations',
  description:
    "Lists the organization's attestations, newest first. While there are more, `Link` has the address of the next " +
    'page; new attestations do not shift that page. Filters narrow the list to attestations that match ' +
    'all of them. With a filter, a page may be shorter than its limit, or empty, while there is a next one: follow `Link` ' +
    'to its end. Misspelled parameters and `chainId` are refused; other unknown ones are ignored.',
  parameters: listParameters,
  responses: {
    200: answer({
      description: 'A page of attestations.',
      body: 'AttestationList',
      examples: { page: { attestations: [examples.confirmed] }, none: { attestations: [] } },
      headers: ['Link'],
    }),
    400: refusal('The query is invalid.', ['invalidLimit', 'otherFilters', 'badRequest']),
    ...keyedResponses,
  },
};

export const attestationsPaths = {
  '/v1/attestations': { post: createOperation, get: listOperation },
};
