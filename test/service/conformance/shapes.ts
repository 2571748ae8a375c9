import { expect } from 'vitest';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { contentCid, contentDigest } from '../../../functions/domain/attestation/content-cid.ts';
import type { Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';

export const uuid = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);
export const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const digestOf = (content: string) => contentDigest(parseContent(content));

type Author = Pick<Publisher, 'authority'>;

export function creationOf({ authority }: Author, content: string, status = 'pending') {
  return {
    id: uuid,
    status,
    contentCid: contentCid(digestOf(content)),
    chainId: stack.chainId,
    authorityAddress: authority.address,
  };
}

/** The whole Attestation shape of a content posted without a `url`, while nothing is mined. */
export function pendingOf(author: Author, content: string) {
  return {
    ...creationOf(author, content),
    registryAddress: stack.registryAddress,
    error: null,
    childAttestationId: null,
    childLinkTxHash: null,
    createdAt: timestamp,
  };
}

export function committedOf(author: Author, content: string) {
  return { ...pendingOf(author, content), status: 'committed', commitTxHash: hash };
}

export function confirmedOf(author: Author, content: string) {
  return {
    ...committedOf(author, content),
    status: 'confirmed',
    revealTxHash: hash,
    attestationIndex: expect.any(Number),
    confirmedAt: timestamp,
  };
}

export function invalid(field: string | undefined, message: string) {
  return invalidFields([field, message]);
}

export function invalidFields(...listed: [field: string | undefined, message: string][]) {
  const issues = listed.map(([field, message]) => ({ path: field === undefined ? [] : [field], message }));
  return { status: 400, body: { error: 'invalid request', issues } };
}

export const unauthorized = { status: 401, body: { error: 'invalid or missing API key' } };
export const notFound = { status: 404, body: { error: 'attestation not found' } };
export const noRoute = { status: 404, body: { error: 'not found' } };
export const noMethod = { status: 405, body: { error: 'method not allowed' } };

export function noDelegation(chainId = stack.chainId) {
  return { status: 409, body: { error: `no active delegation for chain ${chainId}`, chainId } };
}

export function replyOf({ status, body }: { status: number; body: unknown }) {
  return { status, body };
}
