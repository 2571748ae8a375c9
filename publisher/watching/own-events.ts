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

  /** The list is read again for what it does not explain: the service may have done it since. */
  async doerOf(event: AuthorityEvent): Promise<Doer> {
    if (event.kind === 'delegation') return this.#isDelegate(event.delegateAddress);
    // The service withdraws nothing: only the authority itself may, or who acts for it.
    if (event.kind === 'revocation') return 'other';
    if (this.#explains(event)) return 'service';
    await this.#list();
    return this.#explains(event) ? 'service' : 'other';
  }

  async #isDelegate(address: string | undefined): Promise<Doer> {
    const served = await this.#chains();
    return served.some(({ delegateAddress }) => isSame(delegateAddress, address)) ? 'service' : 'other';
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

  #explains({ kind, registryAddress, contentCid, transaction, childCid }: AuthorityEvent): boolean {
    const rows = this.#attestations.filter(
      (one) =>
        one.chainId === this.#chainId &&
        one.contentCid === contentCid &&
        isSame(one.registryAddress, registryAddress),
    );
    if (kind === 'attestation') return rows.some((row) => isRevealOf(row, transaction));
    return rows.some(
      (row) => isSame(row.childLinkTxHash ?? '', transaction) || this.#isLinking(row, childCid),
    );
  }

  /** Whether the service is linking to this content, and has not seen its transaction yet. */
  #isLinking({ childAttestationId, childLinkTxHash }: Attestation, childCid: string | null | undefined) {
    if (childAttestationId === null || childLinkTxHash !== null) return false;
    return this.#attestations.some(
      ({ id, contentCid }) => id === childAttestationId && contentCid === childCid,
    );
  }
}

/** The service names the transaction once it has seen it; what it found on the chain already has none, and is not its own. */
function isRevealOf({ revealTxHash, status }: Attestation, transaction: string): boolean {
  if (revealTxHash !== undefined) return isSame(revealTxHash, transaction);
  return status === 'pending' || status === 'committed';
}
