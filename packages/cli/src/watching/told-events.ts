import type { AuthorityEvent } from 'imprimatur-verifier';
import type { KeptWatch } from './cursor.ts';
import type { Finding, OwnEvents } from './own-events.ts';

/** Who caused a reported event: someone else, or unknown. */
export type Doer = 'other' | 'unknown';

export interface ToldEvent {
  readonly event: AuthorityEvent;
  /** `undone`: it was reported as not final, and a reorg has removed it. */
  readonly state: 'final' | 'notFinal' | 'undone';
}

export type TellEvent = (told: ToldEvent, doer: Doer) => void;

/** Identifies an event in its block. */
export const keyOf = ({ block, logIndex }: AuthorityEvent) => `${block.hash}/${logIndex}`;

/**
 * Maximum age of an event, in seconds of the chain, for which the service's answer is awaited. The service records a
 * transaction when it is mined, and is late only during an outage.
 */
const patienceSeconds = 3600;

/** Whether a later check may lead to another result. */
const isOpen = (finding: Finding | undefined) => finding === 'underWay' || finding === 'notAsked';

/** If the service recorded no transaction in time, it did not cause the event. */
const doerOf = (finding: Finding | undefined): Doer =>
  finding === 'other' || finding === 'underWay' ? 'other' : 'unknown';

/** Reports events that the service did not cause, each one once and as soon as this is certain. */
export class ToldEvents {
  readonly #own: OwnEvents | undefined;
  readonly #write: TellEvent;
  /** Events that the service may have caused. */
  undecided: readonly AuthorityEvent[];
  /** Keys of the service's own events. If a reorg removes them, that is not reported either. */
  #silent: Set<string>;
  count = 0;

  constructor(own: OwnEvents | undefined, kept: KeptWatch | undefined, write: TellEvent) {
    this.#own = own;
    this.undecided = kept?.undecided ?? [];
    this.#silent = new Set(kept?.silent);
    this.#write = write;
  }

  /** Keys of the service's own events among those that are not final. Forgets the others. */
  silentAmong(unfinal: readonly AuthorityEvent[]): readonly string[] {
    this.#silent = new Set(unfinal.map(keyOf).filter((key) => this.#silent.has(key)));
    return [...this.#silent];
  }

  /** Reports events that the service did not cause, and keeps undecided ones. */
  async tell(news: readonly ToldEvent[]): Promise<void> {
    const findings = await this.#own?.findingsOf(news.map(({ event }) => event));
    for (const [at, told] of news.entries()) {
      const wasUndecided = this.#drop(told.event);
      if (told.state !== 'undone') this.#judge(told, findings?.[at], true);
      // A removed event is reported only if it was reported before, because the service's list may have changed.
      else if (!wasUndecided && !this.#silent.has(keyOf(told.event)))
        this.#tellOne(told, doerOf(findings?.[at]));
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

  #judge(told: ToldEvent, finding: Finding | undefined, mayWait: boolean): void {
    if (finding === 'service') this.#silent.add(keyOf(told.event));
    else if (isOpen(finding) && mayWait) this.undecided = [...this.undecided, told.event];
    else this.#tellOne(told, doerOf(finding));
  }

  /** Removes an event from the undecided ones. @returns whether it was among them */
  #drop(event: AuthorityEvent): boolean {
    const before = this.undecided.length;
    this.undecided = this.undecided.filter((one) => keyOf(one) !== keyOf(event));
    return this.undecided.length < before;
  }

  #tellOne(told: ToldEvent, doer: Doer): void {
    this.count++;
    this.#write(told, doer);
  }
}
