import type { paths } from './api-types.ts';

type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
type Create = paths['/v1/attestations']['post'];
type CreateBody = NonNullable<Create['requestBody']>['content']['application/json'];
type ChainList = Json<paths['/v1/chains']['get']['responses'][200]>;

/** An attestation as the service shows it; hashes and times that do not exist yet are absent. */
export type Attestation = Json<paths['/v1/attestations/{id}']['get']['responses'][200]>;

/** A confirmed attestation, which its index and time are known of. */
export type ConfirmedAttestation = Attestation & {
  readonly status: 'confirmed';
  readonly attestationIndex: number;
  /** Time of the block with the reveal, ISO 8601. */
  readonly confirmedAt: string;
};

/** What belongs beside an article as `article.proof.json`, for verifying it without the service. */
export type Proof = Json<paths['/v1/attestations/{id}/proof']['get']['responses'][200]>;

/** An attestation in short, as in the answer to its creation. */
export type AttestationSummary = Json<Create['responses'][200]>;

/** Fields that may accompany a content: the chain, the article's canonical URL, metadata. */
export type AttestFields = Omit<CreateBody, 'content'>;

/** A chain that the service serves; `delegationActive` is null while the chain cannot be reached. */
export type Chain = ChainList['chains'][number];

/** An error of a request; `path` leads to the field. */
export interface RequestIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
