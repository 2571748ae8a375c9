/** What the service takes and answers; test/shapes.test.ts holds these shapes to its own schemas. */

type Status = 'pending' | 'committed' | 'confirmed' | 'failed';

/** An attestation in short, as in the answer to its creation. */
export interface AttestationSummary {
  /** UUIDv7, in lower case: ids sort by the time of creation. */
  readonly id: string;
  /**
   * `pending`: accepted. `committed`: the commit is mined. `confirmed`: final on the chain and publicly verifiable.
   * `failed`: not on the chain, and it will not be unless the content is attested again. The last two never change.
   */
  readonly status: Status;
  /** CIDv1 of the exact UTF-8 bytes of the content. */
  readonly contentCid: string;
  /** EIP-155 id of the chain. */
  readonly chainId: number;
  /** Address of the organization's authority, to which the attestation is attributed; EIP-55 checksummed. */
  readonly authorityAddress: string;
  /** Time at which the authority revoked it, once the service has seen that. It stays `confirmed`, and does not verify. */
  readonly revokedAt?: string;
}

/** An attestation as the service shows it; hashes and times that do not exist yet are absent. Times are ISO 8601. */
export interface Attestation extends AttestationSummary {
  /** URL of the article, as given at creation. */
  readonly url?: string;
  /** Address of the registry that holds the attestation. */
  readonly registryAddress: string;
  /** Transaction of the commit, once it is mined. */
  readonly commitTxHash?: string;
  /** Transaction of the reveal, once it is mined. */
  readonly revealTxHash?: string;
  /** The registry's number of the attestation, once it is confirmed. */
  readonly attestationIndex?: number;
  /** Why it failed, and what to do; null otherwise. */
  readonly error: string | null;
  /** Id of the newer attestation that it was last linked to. */
  readonly childAttestationId: string | null;
  /** Transaction of the link to that child; null until it is mined. */
  readonly childLinkTxHash: string | null;
  /** Why the link failed, and what to do; absent otherwise. */
  readonly childLinkError?: string;
  /** Time at which the service accepted it. */
  readonly createdAt: string;
  /** Time of the block with the reveal, once it is confirmed. */
  readonly confirmedAt?: string;
}

/** A confirmed attestation, with its index and time. */
export interface ConfirmedAttestation extends Attestation {
  readonly status: 'confirmed';
  readonly attestationIndex: number;
  readonly confirmedAt: string;
}

/** What belongs beside an article as `article.proof.json`, for verifying it without the service. */
export interface Proof {
  readonly version: 1;
  readonly reference: Readonly<ReferenceParts>;
  readonly content: {
    /** Root of the quote tree; absent where somebody else attested the content before. */
    readonly quoteRoot?: string;
    /** How the quote tree is made. */
    readonly quoteTree?: 'taanq-46';
  };
  readonly attested: {
    readonly commitTransaction?: string;
    readonly revealTransaction?: string;
    /** Number of the block with the reveal; absent where the service does not know it. */
    readonly block?: number;
    /** Time of that block. */
    readonly time: string;
  };
  /** Absent where the service cannot ask the chain at the moment. */
  readonly registry?: {
    /** keccak256 of the code at the registry's address, at a final block. */
    readonly codeHash: string;
  };
}

/** Fields that may accompany a content. */
export interface AttestFields {
  /** Chain to publish on; by default the organization's, else the service's own. */
  readonly chainId?: number | undefined;
  /** Canonical URL of the published article: http or https. */
  readonly url?: string | undefined;
  /** Anything to keep with the attestation, at most 32 KiB as JSON. Never returned and never sent to the chain. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** A chain that the service serves. */
export interface Chain {
  /** EIP-155 id of the chain. */
  readonly chainId: number;
  readonly name: string;
  /** Registry that your attestations go to. */
  readonly registryAddress: string;
  readonly authorityAddress: string;
  /** Address to which your authority has to delegate on the registry. */
  readonly delegateAddress: string;
  /** Whether your authority has; null while the chain cannot be reached. */
  readonly delegationActive: boolean | null;
  /** The chain's block explorer. */
  readonly explorerUrl?: string;
}

/** An error of a request; `path` leads to the field. */
export interface RequestIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type ReferenceParts = Pick<
  Required<Attestation>,
  'contentCid' | 'chainId' | 'registryAddress' | 'authorityAddress' | 'attestationIndex'
>;

/** The reference of a confirmed attestation, in the one line that verifiers take. */
export function referenceOf(attestation: ReferenceParts): string {
  const { chainId, registryAddress, attestationIndex, authorityAddress, contentCid } = attestation;
  return `eip155:${chainId}:${registryAddress}/${attestationIndex}/${authorityAddress}/${contentCid}`;
}
