import type { Attestation, ImprimaturClient } from 'imprimatur-client';
import type { AuthorityEvent, EventReader, Hex } from 'imprimatur-verifier';
import type { Subject } from './cursor.ts';

/**
 * Who did something in an authority's name, by the service's list: the service for one, somebody else, or one of both: the
 * service has the same under way, and has seen no transaction of its own yet; it has linked again since, and its list
 * has the newest link alone; or it could not be asked.
 */
export type Finding = 'service' | 'other' | 'underWay' | 'replaced' | 'notAsked';

/** Contents that are looked up one by one. Of more, all pages of the list are read: a page has 200 attestations. */
const maxLookUps = 20;

const isSame = (one = '', other = '') => one.toLowerCase() === other.toLowerCase();

interface OwnEventsParts {
  readonly client: ImprimaturClient;
  readonly subject: Subject;
  readonly reader: Pick<EventReader, 'place'>;
  readonly signal: AbortSignal;
}

/** Knows what the service did for an organization in its authority's name, as the service lists it. */
export class OwnEvents {
  readonly #parts: OwnEventsParts;
  #attestations: readonly Attestation[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(parts: OwnEventsParts) {
    this.#parts = parts;
  }

  /**
   * Who did each of these. What the service has not listed yet is looked for in its list of now, which is newer than they.
   * It delegates and withdraws nothing: only the authority itself may, or who acts for it.
   */
  async findingsOf(events: readonly AuthorityEvent[]): Promise<Finding[]> {
    const unlisted = events.filter((event) => isListable(event) && !this.#isListed(event));
    if (unlisted.length > 0) await this.#tryList(contentsOf(unlisted));
    const findings: Finding[] = [];
    for (const event of events) findings.push(await this.#finding(event));
    return findings;
  }

  /** Begins anew after a failure: until then a service that has failed is not asked again. */
  forgetFailure(): void {
    this.#failure = undefined;
  }

  /** @throws errors of the client, where the service has failed */
  throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #tryList(contents: ReadonlySet<string>): Promise<void> {
    if (this.#failure) return;
    try {
      if (contents.size > maxLookUps) this.#attestations = await this.#list();
      else for (const contentCid of contents) await this.#lookUp(contentCid);
    } catch (error) {
      this.#failure = { error };
    }
  }

  async #lookUp(contentCid: string): Promise<void> {
    const others = this.#attestations.filter((one) => one.contentCid !== contentCid);
    this.#attestations = [...others, ...(await this.#list(contentCid))];
  }

  async #list(contentCid?: string): Promise<readonly Attestation[]> {
    const { client, signal, subject } = this.#parts;
    const { chainId, authority } = subject;
    const attestations: Attestation[] = [];
    for await (const one of client.listAll({ contentCid, signal }))
      if (one.chainId === chainId && isSame(one.authorityAddress, authority)) attestations.push(one);
    return attestations;
  }

  #rowsOf({ contentCid, registryAddress }: AuthorityEvent): readonly Attestation[] {
    return this.#attestations.filter(
      (one) => one.contentCid === contentCid && isSame(one.registryAddress, registryAddress),
    );
  }

  /** Whether the service's list names the transaction as its own. */
  #isListed(event: AuthorityEvent): boolean {
    const { kind, transaction } = event;
    return this.#rowsOf(event).some(({ revealTxHash, childLinkTxHash }) =>
      isSame((kind === 'attestation' ? revealTxHash : childLinkTxHash) ?? '', transaction),
    );
  }

  async #finding(event: AuthorityEvent): Promise<Finding> {
    if (!isListable(event)) return 'other';
    if (this.#isListed(event)) return 'service';
    if (this.#failure) return 'notAsked';
    const rows = this.#rowsOf(event);
    if (event.kind === 'attestation') return rows.some(isRevealing) ? 'underWay' : 'other';
    if (rows.some((row) => this.#isLinking(row, event.childCid))) return 'underWay';
    for (const row of rows) if (await this.#mayHaveReplaced(row, event)) return 'replaced';
    return 'other';
  }

  /** Whether the service is linking to this content, and has not seen its transaction yet. */
  #isLinking({ childAttestationId, childLinkTxHash }: Attestation, childCid: string | null | undefined) {
    const isChild = ({ id, contentCid }: Attestation) => id === childAttestationId && contentCid === childCid;
    return childLinkTxHash === null && this.#attestations.some(isChild);
  }

  /** Whether the service has linked again since, as far as the chain tells where its link is, or is about to. */
  async #mayHaveReplaced(row: Attestation, { childCid, block, logIndex }: AuthorityEvent) {
    if (row.childAttestationId === null || !childCid) return false;
    const hash = row.childLinkTxHash as Hex | null;
    const newest = hash === null ? undefined : await this.#parts.reader.place(hash);
    return !newest || (block.number - newest.blockNumber || logIndex - newest.logIndex) < 0;
  }
}

/** The contents that events are of, and those that they link to. */
const contentsOf = (events: readonly AuthorityEvent[]) =>
  new Set(
    events
      .flatMap(({ contentCid, childCid }) => [contentCid, childCid])
      .filter((cid) => typeof cid === 'string'),
  );

/** Whether the service's list shows such events: it names attestations and links, and who makes them. */
const isListable = ({ kind }: AuthorityEvent) => kind === 'attestation' || kind === 'link';

/** Whether the service is revealing it, and has not seen its transaction yet. What it found on the chain is not its own. */
function isRevealing({ revealTxHash, status }: Attestation): boolean {
  return revealTxHash === undefined && (status === 'pending' || status === 'committed');
}
