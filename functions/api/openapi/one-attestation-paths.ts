import { bodyRef } from './components.ts';
import * as examples from './examples.ts';
import { headerRefs, idParameter } from './parts.ts';
import { answer, attestResponses, bodyResponses, json, keyedResponses, refusal } from './responses.ts';

const { pending, committed, confirmed, revoked, failed, linked } = examples;

const unknownId = refusal('The ID is unknown, malformed or of another organization.', ['attestationMissing']);

const getOperation = {
  operationId: 'getAttestation',
  tags: ['Attestations'],
  summary: 'Get an attestation',
  description: 'Returns one attestation of the organization. `Retry-After` gives the time to poll again.',
  parameters: [
    idParameter,
    {
      name: 'If-None-Match',
      in: 'header',
      description: 'A known `ETag`: while nothing has changed, the answer is 304 without a body.',
      schema: { type: 'string' },
      example: '"kQ3yQmXoM0uC3h8xq1pH2w"',
    },
  ],
  responses: {
    200: answer({
      description: 'The attestation.',
      body: 'Attestation',
      examples: { pending, committed, confirmed, revoked, failed, linked },
      headers: ['ETag', 'Retry-After'],
    }),
    304: {
      description: 'Nothing has changed since the answer with that `ETag`.',
      headers: headerRefs('ETag', 'Retry-After'),
    },
    404: unknownId,
    ...keyedResponses,
  },
};

const proofOperation = {
  operationId: 'getProof',
  tags: ['Attestations'],
  summary: 'Get the proof file of an attestation',
  description:
    'Returns the file to publish beside the article as `article.proof.json`, to verify it without this service. It has the ' +
    'whole reference, the transactions, the block of the reveal, and the hash of the registry’s code at a final block. The ' +
    'verifier adds the proof of the registry’s storage, from a node of your own.',
  parameters: [idParameter],
  responses: {
    200: answer({ description: 'The proof file.', body: 'Proof', examples: { confirmed: examples.proof } }),
    404: unknownId,
    409: refusal('The attestation is not confirmed yet.', ['unconfirmed']),
    ...keyedResponses,
  },
};

const linkOperation = {
  operationId: 'linkChild',
  tags: ['Attestations'],
  summary: 'Link a child attestation',
  description:
    'Points a confirmed attestation on the chain at a newer one of the same organization, so that anyone who verifies the ' +
    'old article finds the new one. Answers at once; `childLinkTxHash` appears when the link is mined. Another child ' +
    'overwrites the link, and the last one accepted applies.',
  parameters: [idParameter],
  requestBody: {
    required: true,
    content: json(bodyRef('LinkRequest'), { newer: examples.linkRequest }),
  },
  responses: {
    200: answer({
      description: 'The link to this child is already mined; nothing was queued.',
      body: 'Attestation',
      examples: { linked },
    }),
    202: answer({
      description: 'The link is queued, now or by an earlier request.',
      body: 'Attestation',
      examples: { queued: examples.linking },
    }),
    400: refusal('The request is invalid, or names the attestation itself.', [
      'invalidChild',
      'noObject',
      'sameChild',
      'badRequest',
    ]),
    404: refusal('There is no such attestation or no such child in the organization.', [
      'attestationMissing',
      'childMissing',
    ]),
    409: refusal('The attestation is not confirmed yet.', ['unconfirmed']),
    ...keyedResponses,
    ...attestResponses,
    ...bodyResponses,
  },
};

const quoteOperation = {
  operationId: 'quotePassage',
  tags: ['Attestations'],
  summary: 'Prove a passage',
  description:
    'Proves that a passage, or pieces of one in their order, are in an attested text. The proof is checked without the ' +
    'text, with the verifier or with public tools. It consists of whole chunks, so it also shows up to 45 characters ' +
    'before and after each piece. Nothing is stored.',
  parameters: [idParameter],
  requestBody: {
    required: true,
    content: json(bodyRef('QuoteRequest'), {
      passage: examples.quoteRequest,
      omission: { passage: 'An … article' },
      pieces: { passage: ['An', 'article'] },
    }),
  },
  responses: {
    200: answer({ description: 'The proof.', body: 'QuoteProof', examples: { quote: examples.quote } }),
    400: refusal('The request is invalid.', ['invalidPassage', 'noObject', 'badRequest']),
    404: refusal('There is no such attestation in the organization.', ['attestationMissing']),
    409: refusal(
      'The attestation is not confirmed yet, its content was erased, or the quote root in the registry is not that of ' +
        'the content.',
      ['unconfirmed', 'erased', 'otherRoot'],
    ),
    422: refusal('The passage is not in the text exactly as given, or it is too long.', ['passageMissing']),
    ...keyedResponses,
    ...bodyResponses,
    503: refusal('The store is busy, or the chain cannot be reached.', ['busy', 'chainUnreachable']),
  },
};

export const oneAttestationPaths = {
  '/v1/attestations/{id}': { get: getOperation },
  '/v1/attestations/{id}/proof': { get: proofOperation },
  '/v1/attestations/{id}/child': { post: linkOperation },
  '/v1/attestations/{id}/quotes': { post: quoteOperation },
};
