import type { Attestation, ImprimaturClient } from '../../client/imprimatur.ts';
import type { AuthorityEvent } from '../../verifier/verifier.ts';

/** Who did something in an authority's name: the service for one, somebody else, or nobody knows, without an API key. */
export type Doer = 'service' | 'other' | 'unknown';

const isSame = (one = '', other = '') => one.toLowerCase() === other.toLowerCase();

/** Knows what the service did for an organisation, as the service lists it. */
export class OwnEvents {
  readonly #client: ImprimaturClient;
  readonly #chainId: number;
  readonly #signal: AbortSignal;
  #attestations: readonly Attestation[] = [];

  constructor(client: ImprimaturClient, chainId: number, signal: AbortSignal) {
    this.#client = client;
    this.#chainId = chainId;
    this.#signal = signal;
  }

  /** Registries of the chain that the service uses, or has used for the organisation. */
  async registries(): Promise<readonly string[]> {
    await this.#list();
    const served = await this.#chains();
    const all = [...served, ...this.#attestations].map(({ registryAddress }) => registryAddress);
    return all.filter((address, at) => all.findIndex((one) => isSame(one, address)) === at);
  }

  /** Who did each of these. What the service has not listed yet is looked for in its list of now, which is newer than they. */
  async doersOf(events: readonly AuthorityEvent[]): Promise<Doer[]> {
    const delegates = events.some(({ kind }) => kind === 'delegation') ? await this.#chains() : [];
    const isUnlisted = (event: AuthorityEvent) => isListable(event) && !this.#explains(event, false);
    if (events.some(isUnlisted)) await this.#list();
    return events.map((event) => {
      if (isListable(event)) return this.#explains(event, true) ? 'service' : 'other';
      // The service withdraws nothing: only the authority itself may, or who acts for it.
      const isToUs = delegates.some(({ delegateAddress }) => isSame(delegateAddress, event.delegateAddress));
      return event.kind === 'delegation' && isToUs ? 'service' : 'other';
    });
  }

  async #chains() {
    const chains = await this.#client.chains({ signal: this.#signal });
    return chains.filter(({ chainId }) => chainId === this.#chainId);
  }

  async #list(): Promise<void> {
    const attestations: Attestation[] = [];
    for await (const one of this.#client.listAll({ signal: this.#signal })) attestations.push(one);
    this.#attestations = attestations;
  }

  /** @param orUnderWay whether what the service has begun, and not seen on the chain yet, explains it too */
  #explains(
    { kind, registryAddress, contentCid, transaction, childCid }: AuthorityEvent,
    orUnderWay: boolean,
  ): boolean {
    const rows = this.#attestations.filter(
      (one) =>
        one.chainId === this.#chainId &&
        one.contentCid === contentCid &&
        isSame(one.registryAddress, registryAddress),
    );
    const isOf = ({ revealTxHash, childLinkTxHash }: Attestation) =>
      isSame((kind === 'attestation' ? revealTxHash : childLinkTxHash) ?? '', transaction);
    const isUnderWay = (row: Attestation) =>
      kind === 'attestation' ? isRevealing(row) : this.#isLinking(row, childCid);
    return rows.some((row) => isOf(row) || (orUnderWay && isUnderWay(row)));
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
