import type { Attestation, ImprimaturClient } from 'imprimatur-client';
import type { AuthorityEvent, EventReader, Hex } from 'imprimatur-verifier';
import type { WatchTarget } from './cursor.ts';

/**
 * Who caused an event, according to the service's list:
 * `service`: the service.
 * `other`: someone else.
 * `inProgress`: unclear, because the service is doing the same and has not recorded its transaction yet.
 * `replaced`: unclear, because the service has linked again and lists only its newest link.
 * `unanswered`: unclear, because the service did not answer.
 */
export type Cause = 'service' | 'other' | 'inProgress' | 'replaced' | 'unanswered';

/** Maximum number of contents that are looked up one by one. For more, the classifier reads the whole list. */
const maxLookups = 20;

const isSame = (a = '', b = '') => a.toLowerCase() === b.toLowerCase();

interface ClassifierParts {
  readonly client: ImprimaturClient;
  readonly target: WatchTarget;
  readonly reader: Pick<EventReader, 'positionOf'>;
  readonly signal: AbortSignal;
}

/** Decides which events the service caused, from its list of attestations. */
export class EventClassifier {
  readonly #parts: ClassifierParts;
  #attestations: readonly Attestation[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(parts: ClassifierParts) {
    this.#parts = parts;
  }

  /** Classifies events. Looks up events again that are not in the list yet. The service never delegates or revokes. */
  async causesOf(events: readonly AuthorityEvent[]): Promise<Cause[]> {
    const unlisted = events.filter((event) => isListable(event) && !this.#isListed(event));
    if (unlisted.length > 0) await this.#tryList(contentsOf(unlisted));
    const causes: Cause[] = [];
    for (const event of events) causes.push(await this.#causeOf(event));
    return causes;
  }

  /** Allows requests again. After a failure, the classifier sends none until this call. */
  forgetFailure(): void {
    this.#failure = undefined;
  }

  /** @throws the client's error if the service failed */
  throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #tryList(contents: ReadonlySet<string>): Promise<void> {
    if (this.#failure) return;
    try {
      if (contents.size > maxLookups) this.#attestations = await this.#list();
      else for (const contentCid of contents) await this.#lookUp(contentCid);
    } catch (error) {
      this.#failure = { error };
    }
  }

  async #lookUp(contentCid: string): Promise<void> {
    const others = this.#attestations.filter((row) => row.contentCid !== contentCid);
    this.#attestations = [...others, ...(await this.#list(contentCid))];
  }

  async #list(contentCid?: string): Promise<readonly Attestation[]> {
    const { client, signal, target } = this.#parts;
    const { chainId, authority } = target;
    const attestations: Attestation[] = [];
    for await (const row of client.listAll({ contentCid, signal }))
      if (row.chainId === chainId && isSame(row.authorityAddress, authority)) attestations.push(row);
    return attestations;
  }

  #rowsOf({ contentCid, registryAddress }: AuthorityEvent): readonly Attestation[] {
    return this.#attestations.filter(
      (row) => row.contentCid === contentCid && isSame(row.registryAddress, registryAddress),
    );
  }

  /** Whether the service lists the transaction as its own. */
  #isListed(event: AuthorityEvent): boolean {
    const { kind, transaction } = event;
    return this.#rowsOf(event).some(({ revealTxHash, childLinkTxHash }) =>
      isSame((kind === 'attestation' ? revealTxHash : childLinkTxHash) ?? '', transaction),
    );
  }

  async #causeOf(event: AuthorityEvent): Promise<Cause> {
    if (!isListable(event)) return 'other';
    if (this.#isListed(event)) return 'service';
    if (this.#failure) return 'unanswered';
    const rows = this.#rowsOf(event);
    if (event.kind === 'attestation') return rows.some(isRevealing) ? 'inProgress' : 'other';
    if (rows.some((row) => this.#isLinking(row, event.childCid))) return 'inProgress';
    for (const row of rows) if (await this.#mayHaveReplaced(row, event)) return 'replaced';
    return 'other';
  }

  /** Whether the service is linking to this content and has not recorded the transaction yet. */
  #isLinking({ childAttestationId, childLinkTxHash }: Attestation, childCid: string | null | undefined) {
    const isChild = ({ id, contentCid }: Attestation) => id === childAttestationId && contentCid === childCid;
    return childLinkTxHash === null && this.#attestations.some(isChild);
  }

  /** Whether the service has linked again after this event, or is about to. Unknown positions count as later. */
  async #mayHaveReplaced(row: Attestation, { childCid, block, logIndex }: AuthorityEvent) {
    if (row.childAttestationId === null || !childCid) return false;
    const hash = row.childLinkTxHash as Hex | null;
    const newest = hash === null ? undefined : await this.#parts.reader.positionOf(hash);
    return !newest || (block.number - newest.blockNumber || logIndex - newest.logIndex) < 0;
  }
}

const contentsOf = (events: readonly AuthorityEvent[]) =>
  new Set(
    events
      .flatMap(({ contentCid, childCid }) => [contentCid, childCid])
      .filter((cid) => typeof cid === 'string'),
  );

/** Whether the service's list can show an event of this kind. The list shows attestations and links. */
const isListable = ({ kind }: AuthorityEvent) => kind === 'attestation' || kind === 'link';

/** Whether the service's reveal may be pending. The service sends none for an attestation that it found on the chain. */
function isRevealing({ revealTxHash, status }: Attestation): boolean {
  return revealTxHash === undefined && (status === 'pending' || status === 'committed');
}
