import type { Attestation, ImprimaturClient } from '../../client/imprimatur.ts';
import type { Address, AuthorityEvent } from '../../verifier/verifier.ts';

/**
 * Who did something in an authority's name, by the service's list: the service for one, somebody else, or one of both: the
 * service has the same under way, and has seen no transaction of its own yet, or it could not be asked.
 */
export type Finding = 'service' | 'other' | 'underWay' | 'notAsked';

const isSame = (one = '', other = '') => one.toLowerCase() === other.toLowerCase();

/** Knows what the service did for an organisation in its authority's name, as the service lists it. */
export class OwnEvents {
  readonly #client: ImprimaturClient;
  readonly #chainId: number;
  readonly #authority: Address;
  readonly #signal: AbortSignal;
  #attestations: readonly Attestation[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(client: ImprimaturClient, chainId: number, authority: Address, signal: AbortSignal) {
    this.#client = client;
    this.#chainId = chainId;
    this.#authority = authority;
    this.#signal = signal;
  }

  /**
   * Who did each of these. What the service has not listed yet is looked for in its list of now, which is newer than they.
   * It delegates and withdraws nothing: only the authority itself may, or who acts for it.
   */
  async findingsOf(events: readonly AuthorityEvent[]): Promise<Finding[]> {
    const isUnlisted = (event: AuthorityEvent) => isListable(event) && this.#finding(event) !== 'service';
    if (events.some(isUnlisted)) await this.#tryList();
    return events.map((event) => {
      if (!isListable(event)) return 'other';
      return this.#failure && isUnlisted(event) ? 'notAsked' : this.#finding(event);
    });
  }

  /** Begins anew after a failure: until then a service that has failed is not asked again. */
  forgetFailure(): void {
    this.#failure = undefined;
  }

  /** @throws errors of the client, where the service has failed */
  throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #tryList(): Promise<void> {
    if (this.#failure) return;
    try {
      await this.#list();
    } catch (error) {
      this.#failure = { error };
    }
  }

  async #list(): Promise<void> {
    const attestations: Attestation[] = [];
    for await (const one of this.#client.listAll({ signal: this.#signal }))
      if (one.chainId === this.#chainId && isSame(one.authorityAddress, this.#authority))
        attestations.push(one);
    this.#attestations = attestations;
  }

  #finding({ kind, registryAddress, contentCid, transaction, childCid }: AuthorityEvent): Finding {
    const rows = this.#attestations.filter(
      (one) => one.contentCid === contentCid && isSame(one.registryAddress, registryAddress),
    );
    const isOf = ({ revealTxHash, childLinkTxHash }: Attestation) =>
      isSame((kind === 'attestation' ? revealTxHash : childLinkTxHash) ?? '', transaction);
    const isUnderWay = (row: Attestation) =>
      kind === 'attestation' ? isRevealing(row) : this.#isLinking(row, childCid);
    if (rows.some(isOf)) return 'service';
    return rows.some(isUnderWay) ? 'underWay' : 'other';
  }

  /** Whether the service is linking to this content, and has not seen its transaction yet. */
  #isLinking({ childAttestationId, childLinkTxHash }: Attestation, childCid: string | null | undefined) {
    if (childAttestationId === null || childLinkTxHash !== null) return false;
    return this.#attestations.some(
      ({ id, contentCid }) => id === childAttestationId && contentCid === childCid,
    );
  }
}

/** Whether the service's list shows such events: it names attestations and links, and who makes them. */
const isListable = ({ kind }: AuthorityEvent) => kind === 'attestation' || kind === 'link';

/** Whether the service is revealing it, and has not seen its transaction yet. What it found on the chain is not its own. */
function isRevealing({ revealTxHash, status }: Attestation): boolean {
  return revealTxHash === undefined && (status === 'pending' || status === 'committed');
}
