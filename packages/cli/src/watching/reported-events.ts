import type { AuthorityEvent } from 'imprimatur-verifier';
import type { StoredWatch } from './cursor.ts';
import type { Finding, OwnEvents } from './own-events.ts';

/** Who caused a reported event: someone else, or unknown. */
export type Actor = 'other' | 'unknown';

export interface ReportedEvent {
  readonly event: AuthorityEvent;
  /** `undone`: it was reported as not final, and a reorg has removed it. */
  readonly state: 'final' | 'notFinal' | 'undone';
}

export type ReportEvent = (reported: ReportedEvent, actor: Actor) => void;

export const keyOf = ({ block, logIndex }: AuthorityEvent) => `${block.hash}/${logIndex}`;

/** Maximum age of an undecided event. The service lists its transactions when they are mined, except in an outage. */
const patienceSeconds = 3600;

/** Whether a later check may lead to another result. */
const isOpen = (finding: Finding | undefined) => finding === 'inProgress' || finding === 'notAsked';

/** If the service recorded no transaction in time, it did not cause the event. */
const actorOf = (finding: Finding | undefined): Actor =>
  finding === 'other' || finding === 'inProgress' ? 'other' : 'unknown';

/** Reports events that the service did not cause, each one once and as soon as this is certain. */
export class ReportedEvents {
  readonly #own: OwnEvents | undefined;
  readonly #write: ReportEvent;
  /** Events that the service may have caused. */
  undecided: readonly AuthorityEvent[];
  /** Keys of the service's own events. If a reorg removes them, that is not reported either. */
  #unreported: Set<string>;
  count = 0;

  constructor(own: OwnEvents | undefined, stored: StoredWatch | undefined, write: ReportEvent) {
    this.#own = own;
    this.undecided = stored?.undecided ?? [];
    this.#unreported = new Set(stored?.unreported);
    this.#write = write;
  }

  /** Keys of the service's own events among those that are not final. Forgets the others. */
  unreportedAmong(provisional: readonly AuthorityEvent[]): readonly string[] {
    this.#unreported = new Set(provisional.map(keyOf).filter((key) => this.#unreported.has(key)));
    return [...this.#unreported];
  }

  /** Reports events that the service did not cause, and keeps undecided ones. */
  async report(news: readonly ReportedEvent[]): Promise<void> {
    const findings = await this.#own?.findingsOf(news.map(({ event }) => event));
    for (const [at, reported] of news.entries()) {
      const wasUndecided = this.#drop(reported.event);
      if (reported.state !== 'undone') this.#judge(reported, findings?.[at], true);
      // A removed event is reported only if it was reported before, because the service's list may have changed.
      else if (!wasUndecided && !this.#unreported.has(keyOf(reported.event)))
        this.#reportOne(reported, actorOf(findings?.[at]));
    }
  }

  /**
   * Decides on undecided events again.
   * @param newestTimestamp time of the newest block
   * @param finalNumber number of the newest final block
   */
  async decide(newestTimestamp: number, finalNumber: number): Promise<void> {
    if (this.undecided.length === 0) return;
    const events = this.undecided;
    const findings = await this.#own?.findingsOf(events);
    this.undecided = [];
    for (const [at, event] of events.entries()) {
      const { number, timestamp } = event.block;
      const state = number <= finalNumber ? 'final' : 'notFinal';
      this.#judge({ event, state }, findings?.[at], newestTimestamp - timestamp <= patienceSeconds);
    }
  }

  #judge(reported: ReportedEvent, finding: Finding | undefined, mayWait: boolean): void {
    if (finding === 'service') this.#unreported.add(keyOf(reported.event));
    else if (isOpen(finding) && mayWait) this.undecided = [...this.undecided, reported.event];
    else this.#reportOne(reported, actorOf(finding));
  }

  /** Removes an event from the undecided ones. @returns whether it was among them */
  #drop(event: AuthorityEvent): boolean {
    const before = this.undecided.length;
    this.undecided = this.undecided.filter((one) => keyOf(one) !== keyOf(event));
    return this.undecided.length < before;
  }

  #reportOne(reported: ReportedEvent, actor: Actor): void {
    this.count++;
    this.#write(reported, actor);
  }
}
