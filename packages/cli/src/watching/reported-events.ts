import type { AuthorityEvent } from 'imprimatur-verifier';
import type { StoredWatch } from './cursor.ts';
import type { Cause, EventClassifier } from './event-classifier.ts';

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
const maxUndecidedSeconds = 3600;

/** Whether a later check may find another cause. */
const mayChange = (cause: Cause | undefined) => cause === 'inProgress' || cause === 'unanswered';

/** If the service recorded no transaction in time, it did not cause the event. */
const actorOf = (cause: Cause | undefined): Actor =>
  cause === 'other' || cause === 'inProgress' ? 'other' : 'unknown';

/** Reports each event once, unless the service caused it. Delays events whose cause may still become clear. */
export class ReportedEvents {
  readonly #classifier: EventClassifier | undefined;
  readonly #write: ReportEvent;
  /** Events that the service may have caused. */
  undecided: readonly AuthorityEvent[];
  /** Keys of the service's own events. The watch does not report their removal by a reorg either. */
  #unreported: Set<string>;
  count = 0;

  constructor(classifier: EventClassifier | undefined, stored: StoredWatch | undefined, write: ReportEvent) {
    this.#classifier = classifier;
    this.undecided = stored?.undecided ?? [];
    this.#unreported = new Set(stored?.unreported);
    this.#write = write;
  }

  /** Forgets the service's own events that are final now. @returns the keys of those that are not final */
  keepUnreported(provisional: readonly AuthorityEvent[]): readonly string[] {
    this.#unreported = new Set(provisional.map(keyOf).filter((key) => this.#unreported.has(key)));
    return [...this.#unreported];
  }

  /** Reports events that the service did not cause, and keeps undecided ones. */
  async report(newEvents: readonly ReportedEvent[]): Promise<void> {
    const causes = await this.#classifier?.causesOf(newEvents.map(({ event }) => event));
    for (const [index, reported] of newEvents.entries()) {
      const wasUndecided = this.#removeUndecided(reported.event);
      if (reported.state !== 'undone') this.#reportOrKeep(reported, causes?.[index], true);
      // Only an earlier report counts, not the current cause, because the service's list may have changed since then.
      else if (!wasUndecided && !this.#unreported.has(keyOf(reported.event)))
        this.#reportOne(reported, actorOf(causes?.[index]));
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
    const causes = await this.#classifier?.causesOf(events);
    this.undecided = [];
    for (const [index, event] of events.entries()) {
      const { number, timestamp } = event.block;
      const state = number <= finalNumber ? 'final' : 'notFinal';
      const mayWait = newestTimestamp - timestamp <= maxUndecidedSeconds;
      this.#reportOrKeep({ event, state }, causes?.[index], mayWait);
    }
  }

  #reportOrKeep(reported: ReportedEvent, cause: Cause | undefined, mayWait: boolean): void {
    if (cause === 'service') this.#unreported.add(keyOf(reported.event));
    else if (mayChange(cause) && mayWait) this.undecided = [...this.undecided, reported.event];
    else this.#reportOne(reported, actorOf(cause));
  }

  /** Removes an event from the undecided ones. @returns whether it was among them */
  #removeUndecided(event: AuthorityEvent): boolean {
    const before = this.undecided.length;
    this.undecided = this.undecided.filter((other) => keyOf(other) !== keyOf(event));
    return this.undecided.length < before;
  }

  #reportOne(reported: ReportedEvent, actor: Actor): void {
    this.count++;
    this.#write(reported, actor);
  }
}
