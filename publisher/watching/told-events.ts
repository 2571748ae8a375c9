import type { AuthorityEvent } from '../../verifier/verifier.ts';
import type { Finding, OwnEvents } from './own-events.ts';
import { keyOf, type ToldEvent } from './watch-chain.ts';

/** Who did something in an authority's name, as it is told: somebody else, or nobody knows, since nobody could be asked. */
export type Doer = 'other' | 'unknown';

/**
 * How old an event is at most, in seconds of the chain, that the service may still name as its own. It names a transaction
 * when that is mined, and is late only while it stands still.
 */
const patienceSeconds = 3600;

/** Whether a later look may find another doer. */
const isOpen = (finding: Finding | 'unknown') => finding === 'underWay' || finding === 'notAsked';

/** Tells what the service did not do, each event once, and as soon as that is certain. */
export class ToldEvents {
  readonly #own: OwnEvents | undefined;
  readonly #write: (told: ToldEvent, doer: Doer) => void;
  #undecided: readonly AuthorityEvent[];
  #count = 0;

  constructor(
    own: OwnEvents | undefined,
    undecided: readonly AuthorityEvent[],
    write: (told: ToldEvent, doer: Doer) => void,
  ) {
    this.#own = own;
    this.#undecided = undecided;
    this.#write = write;
  }

  /** How many were told. */
  get count(): number {
    return this.#count;
  }

  /** Those that may be the service's own work: it has them under way, or could not be asked. */
  get undecided(): readonly AuthorityEvent[] {
    return this.#undecided;
  }

  /** Tells those that are not the service's, and keeps those of which that is not certain. */
  async tell(news: readonly ToldEvent[]): Promise<void> {
    const findings = await this.#own?.findingsOf(news.map(({ event }) => event));
    for (const [at, told] of news.entries()) {
      const finding = findings?.[at] ?? 'unknown';
      const isNew = told.state !== 'undone';
      const wasUndecided = this.#drop(told.event);
      if (isNew && isOpen(finding)) this.#undecided = [...this.#undecided, told.event];
      // Of what was undone before it was told, nothing is told.
      else if (finding !== 'service' && finding !== 'underWay' && (isNew || !wasUndecided))
        this.#tellOne(told, finding === 'other' ? 'other' : 'unknown');
    }
  }

  /**
   * Judges once more what was not certain.
   * @param newestTimestamp time of the newest block
   * @param finalNumber the newest block that is final
   */
  async decide(newestTimestamp: number, finalNumber: number): Promise<void> {
    if (this.#undecided.length === 0) return;
    const events = this.#undecided;
    const findings = await this.#own?.findingsOf(events);
    this.#undecided = [];
    for (const [at, event] of events.entries()) {
      const { number, timestamp } = event.block;
      const finding = findings?.[at] ?? 'unknown';
      if (finding === 'service') continue;
      const doer = finding === 'unknown' || finding === 'notAsked' ? 'unknown' : 'other';
      if (isOpen(finding) && newestTimestamp - timestamp <= patienceSeconds)
        this.#undecided = [...this.#undecided, event];
      else this.#tellOne({ event, state: number <= finalNumber ? 'final' : 'notFinal' }, doer);
    }
  }

  /** Takes an event out of those that are not certain; whether it was among them. */
  #drop(event: AuthorityEvent): boolean {
    const left = this.#undecided.filter((one) => keyOf(one) !== keyOf(event));
    const isDropped = left.length < this.#undecided.length;
    this.#undecided = left;
    return isDropped;
  }

  #tellOne(told: ToldEvent, doer: Doer): void {
    this.#count++;
    this.#write(told, doer);
  }
}
