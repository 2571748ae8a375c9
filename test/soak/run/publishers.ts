import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { listAttestations } from '../../../functions/domain/attestation/list-attestations.ts';
import type { Caller } from '../../../functions/domain/organization/api-keys.ts';
import { linkChild } from '../../../functions/domain/requests/link-child.ts';
import { restrictedToRole } from '../../fakes/ports/restricted-to-role.ts';
import type { RunContext } from './context.ts';

/** An article that an organization wants attested. */
export interface Article {
  readonly caller: Caller;
  readonly text: string;
  /** The attestation in the last answer. */
  attestation?: Attestation;
  confirmed: boolean;
}

const checkSeconds = 30;

const blocksBetweenLinks = 6;

/** The organizations. They post until they get an answer, post failed contents again, and link confirmed attestations. */
export class Publishers {
  readonly articles: readonly Article[];
  readonly #context: RunContext;
  #linksMore = true;
  /** Number of link requests without an answer yet. */
  #pendingLinks = 0;

  constructor(context: RunContext) {
    this.#context = context;
    const { scenario, callers, choices } = context;
    this.articles = Array.from({ length: scenario.contents }, (_, number) => {
      const caller = choices.pick(callers);
      return { caller, text: `article ${number} of ${caller.organizationId}`, confirmed: false };
    });
  }

  begin(): void {
    const { choices, scenario, service } = this.#context;
    for (const article of this.articles) {
      const seconds = choices.below(scenario.postingSeconds);
      // Some contents are posted several times at once.
      const times = choices.oneIn(5) ? 3 : 1;
      for (let time = 0; time < times; time++) service.queue.after(seconds, () => this.#post(article));
      service.queue.after(seconds + checkSeconds, () => this.#check(article));
    }
    service.queue.every(blocksBetweenLinks * scenario.given.blockTimeSeconds, () => this.#link());
  }

  /** Stops new links. Refused links are still requested again. */
  stopLinks(): void {
    this.#linksMore = false;
  }

  /** Accepted attestations that were not seen confirmed yet. */
  unconfirmed(): Attestation[] {
    return this.articles.flatMap(({ attestation, confirmed }) =>
      attestation && !confirmed ? [attestation] : [],
    );
  }

  /** Whether everything requested is confirmed. */
  async hasAllConfirmed(): Promise<boolean> {
    if (this.#pendingLinks > 0 || !this.articles.every(({ confirmed }) => confirmed)) return false;
    return (await this.#refusedLinks()).length === 0;
  }

  async #post(article: Article): Promise<void> {
    const { service, choices, trace } = this.#context;
    try {
      const { attestation, accepted } = await service.post(article.caller, article.text);
      article.attestation = attestation;
      trace.note(`posted ${article.text}: ${attestation.id} ${accepted}`);
    } catch {
      service.queue.after(choices.between(1, 10), () => this.#post(article));
    }
  }

  async #check(article: Article): Promise<void> {
    const { service, choices } = this.#context;
    const row = article.attestation && (await service.world.row(article.attestation));
    article.confirmed = row?.status === 'confirmed';
    if (row?.status === 'failed') await this.#post(article);
    if (!article.confirmed)
      service.queue.after(choices.between(checkSeconds, 2 * checkSeconds), () => this.#check(article));
  }

  /** Repeats the requests for refused links, and links a confirmed attestation to one of the same organization. */
  async #link(): Promise<void> {
    const { callers, choices } = this.#context;
    for (const { organizationId, id, childAttestationId } of await this.#refusedLinks()) {
      await this.#linkOne({ organizationId, id }, childAttestationId ?? id);
    }
    if (!this.#linksMore) return;
    const { organizationId } = choices.pick(callers);
    const attestations = await this.#list(organizationId, 100);
    const confirmed = attestations.filter(({ status }) => status === 'confirmed');
    if (confirmed.length < 2) return;
    // Few parents, so that link intents overtake one another.
    const parent = choices.pick(confirmed.slice(-3));
    await this.#linkOne(parent, choices.pick(attestations).id);
  }

  async #linkOne(parent: Pick<Attestation, 'organizationId' | 'id'>, childId: string): Promise<void> {
    const { service, trace } = this.#context;
    const { organizationId, id } = parent;
    this.#pendingLinks++;
    try {
      await service.process((services) =>
        linkChild(restrictedToRole('api/link-child', services), { organizationId, id }, childId),
      );
      trace.note(`linked ${id} to ${childId}`);
    } catch (error) {
      trace.note(`not linked ${id}: ${error instanceof Error ? error.name : error}`);
    } finally {
      this.#pendingLinks--;
    }
  }

  async #refusedLinks(): Promise<Attestation[]> {
    const { callers } = this.#context;
    const pages = callers.map(({ organizationId }) => this.#list(organizationId, 1000));
    return (await Promise.all(pages)).flat().filter(({ linkPhase }) => linkPhase === 'refused');
  }

  async #list(organizationId: string, limit: number): Promise<readonly Attestation[]> {
    const { records } = this.#context.service.world;
    return (await listAttestations(records, organizationId, { limit })).attestations;
  }
}
