import type { AuthorityEvent } from 'imprimatur-verifier';
import type { KeptWatch } from './cursor.ts';
import type { Finding, OwnEvents } from './own-events.ts';

/** Who did something in an authority's name, as it is told: somebody else, or nobody knows, since nobody could tell. */
export type Doer = 'other' | 'unknown';

/** An event, and how firm it is. */
export interface ToldEvent {
  readonly event: AuthorityEvent;
  /** `undone`: it was told as not final, and a reorg has taken it back. */
  readonly state: 'final' | 'notFinal' | 'undone';
}

export type TellEvent = (told: ToldEvent, doer: Doer) => void;

/** Names an event in its block. */
export const keyOf = ({ block, logIndex }: AuthorityEvent) => `${block.hash}/${logIndex}`;

/**
 * How old an event is at most, in seconds of the chain, that the service may still name as its own. It names a transaction
 * when that is mined, and is late only while it stands still.
 */
const patienceSeconds = 3600;

/** Whether a later look may find another doer. */
const isOpen = (finding: Finding | undefined) => finding === 'underWay' || finding === 'notAsked';

/** What was under way at the service for all its patience, it did not do. */
const doerOf = (finding: Finding | undefined): Doer =>
  finding === 'other' || finding === 'underWay' ? 'other' : 'unknown';

/** Tells what the service did not do, each event once, and as soon as that is certain. */
export class ToldEvents {
  readonly #own: OwnEvents | undefined;
  readonly #write: TellEvent;
  /** Those that may be the service's own work: it has them under way, or could not be asked. */
  undecided: readonly AuthorityEvent[];
  /** Keys of the service's own events, which were not told: that they are undone is not either. */
  #silent: Set<string>;
  count = 0;

  constructor(own: OwnEvents | undefined, kept: KeptWatch | undefined, write: TellEvent) {
    this.#own = own;
    this.undecided = kept?.undecided ?? [];
    this.#silent = new Set(kept?.silent);
    this.#write = write;
  }

  /** Keys of the service's own events among those that may still be undone; of the others they are forgotten. */
  silentAmong(unfinal: readonly AuthorityEvent[]): readonly string[] {
    this.#silent = new Set(unfinal.map(keyOf).filter((key) => this.#silent.has(key)));
    return [...this.#silent];
  }

  /** Tells those that are not the service's, and keeps those of which that is not certain. */
  async tell(news: readonly ToldEvent[]): Promise<void> {
    const findings = await this.#own?.findingsOf(news.map(({ event }) => event));
    for (const [at, told] of news.entries()) {
      const wasUndecided = this.#drop(told.event);
      if (told.state !== 'undone') this.#judge(told, findings?.[at], true);
      // Of what was undone it counts only whether it was told: the service's list may be another by now.
      else if (!wasUndecided && !this.#silent.has(keyOf(told.event)))
        this.#tellOne(told, doerOf(findings?.[at]));
    }
  }

  /**
   * Judges once more what was not certain.
   * @param newestTimestamp time of the newest block
   * @param finalNumber the newest block that is final
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

  /** Takes an event out of those that are not certain; whether it was among them. */
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
