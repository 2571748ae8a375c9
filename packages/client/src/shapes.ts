/** Requests and answers of the service. test/shapes.test.ts compares these types with the service's schemas. */

type Status = 'pending' | 'committed' | 'confirmed' | 'failed';

/** A short form of an attestation. */
export interface AttestationSummary {
  /** UUIDv7 in lower case. IDs sort by creation time. */
  readonly id: string;
  /**
   * `pending`: accepted. `committed`: the commit is mined. `confirmed`: final on the chain and publicly verifiable.
   * `failed`: not on the chain; attest the content again to retry. The last two never change.
   */
  readonly status: Status;
  /** CIDv1 of the exact UTF-8 bytes of the content. */
  readonly contentCid: string;
  readonly chainId: number;
  /** Address of the organization's authority, with the checksum of EIP-55. */
  readonly authorityAddress: string;
  /** Time of the revocation, if known. The status stays `confirmed`, but the attestation does not verify. */
  readonly revokedAt?: string;
}

/** An attestation. Hashes and times are absent until they exist. Times are ISO 8601. */
export interface Attestation extends AttestationSummary {
  /** URL of the article. */
  readonly url?: string;
  readonly registryAddress: string;
  /** Transaction of the commit, after it is mined. */
  readonly commitTxHash?: string;
  /** Transaction of the reveal, after it is mined. */
  readonly revealTxHash?: string;
  /** Number of the attestation in the registry, after it is confirmed. */
  readonly attestationIndex?: number;
  /** Reason for the failure and what to do; otherwise null. */
  readonly error: string | null;
  /** ID of the newer attestation that it was last linked to. */
  readonly childAttestationId: string | null;
  /** Transaction of the link; null until it is mined. */
  readonly childLinkTxHash: string | null;
  /** Reason why the link failed and what to do. */
  readonly childLinkError?: string;
  readonly createdAt: string;
  /** Time of the block with the reveal, after it is confirmed. */
  readonly confirmedAt?: string;
}

export interface ConfirmedAttestation extends Attestation {
  readonly status: 'confirmed';
  readonly attestationIndex: number;
  readonly confirmedAt: string;
}

/** Content of a proof file such as `article.proof.json`, for verification without the service. */
export interface Proof {
  readonly version: 1;
  readonly reference: Readonly<ReferenceParts>;
  readonly content: {
    /** Root of the quote tree; absent if the service did not send the attestation, but found it on the chain. */
    readonly quoteRoot?: string;
    /** Algorithm of the quote tree. */
    readonly quoteTree?: 'taanq-46';
  };
  readonly attested: {
    readonly commitTransaction?: string;
    readonly revealTransaction?: string;
    /** Number of the block with the reveal, if known. */
    readonly block?: number;
    readonly time: string;
  };
  /** Absent if the service could not read the chain. */
  readonly registry?: {
    /** keccak256 of the registry's code at a final block. */ readonly codeHash: string;
  };
}

/** Proof that a passage is in an attested text, for verification without the text and the service. */
export interface QuoteProof {
  readonly version: 1;
  readonly ipfsCid: string;
  readonly chainId: number;
  readonly registryAddress: string;
  readonly authority: string;
  readonly attestationIndex: number;
  /** The quoted pieces, in the order of the text, with their positions. */
  readonly segments: readonly {
    readonly text: string;
    readonly chunk: number;
    readonly offset: number;
  }[];
  /** The chunks of the text that contain the pieces, with their Merkle proofs. */
  readonly proof: readonly { readonly value: readonly string[]; readonly proof: readonly string[] }[];
}

/** Fields that can accompany content. */
export interface AttestFields {
  /** Chain to publish on. The default is the organization's, or else the service's. */
  readonly chainId?: number | undefined;
  /** Canonical URL of the article: http or https. */
  readonly url?: string | undefined;
  /** Stored with the attestation, at most 32 KiB as JSON. Never returned, and never sent to the chain. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface Chain {
  readonly chainId: number;
  readonly name: string;
  /** Registry of your attestations. */
  readonly registryAddress: string;
  readonly authorityAddress: string;
  /** Address to which your authority must delegate in the registry. */
  readonly delegateAddress: string;
  /** Whether your authority delegates to `delegateAddress`; null while the chain is unreachable. */
  readonly delegationActive: boolean | null;
  readonly explorerUrl?: string;
}

/** A field with an error; `path` leads to it. */
export interface RequestIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type ReferenceParts = Pick<
  Required<Attestation>,
  'contentCid' | 'chainId' | 'registryAddress' | 'authorityAddress' | 'attestationIndex'
>;

/** Formats the reference of a confirmed attestation, as verifiers accept it. */
export function referenceOf(attestation: ReferenceParts): string {
  const { chainId, registryAddress, attestationIndex, authorityAddress, contentCid } = attestation;
  return `eip155:${chainId}:${registryAddress}/${attestationIndex}/${authorityAddress}/${contentCid}`;
}
