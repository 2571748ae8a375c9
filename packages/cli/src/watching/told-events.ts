import type { AuthorityEvent } from 'imprimatur-verifier';
import type { KeptWatch } from './cursor.ts';
import type { Finding, OwnEvents } from './own-events.ts';
import { keyOf, type ToldEvent } from './watch-chain.ts';

/** Who did something in an authority's name, as it is told: somebody else, or nobody knows, since nobody could tell. */
export type Doer = 'other' | 'unknown';

/**
 * How old an event is at most, in seconds of the chain, that the service may still name as its own. It names a transaction
 * when that is mined, and is late only while it stands still.
 */
const patienceSeconds = 3600;

/** Whether a later look may find another doer. */
const isOpen = (finding: Finding | 'unknown') => finding === 'underWay' || finding === 'notAsked';

/** What was under way at the service for all its patience, it did not do. */
const doerOf = (finding: Finding | 'unknown'): Doer =>
  finding === 'other' || finding === 'underWay' ? 'other' : 'unknown';

/** Tells what the service did not do, each event once, and as soon as that is certain. */
export class ToldEvents {
  readonly #own: OwnEvents | undefined;
  readonly #write: (told: ToldEvent, doer: Doer) => void;
  #undecided: readonly AuthorityEvent[];
  /** Keys of the service's own events, which were not told: that they are undone is not either. */
  #silent: Set<string>;
  #count = 0;

  constructor(
    own: OwnEvents | undefined,
    { undecided, silent }: Pick<KeptWatch, 'undecided' | 'silent'>,
    write: (told: ToldEvent, doer: Doer) => void,
  ) {
    this.#own = own;
    this.#undecided = undecided;
    this.#silent = new Set(silent);
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

  /** Keys of the service's own events among those that may still be undone; of the others they are forgotten. */
  silentAmong(unfinal: readonly AuthorityEvent[]): readonly string[] {
    this.#silent = new Set(unfinal.map(keyOf).filter((key) => this.#silent.has(key)));
    return [...this.#silent];
  }

  /** Tells those that are not the service's, and keeps those of which that is not certain. */
  async tell(news: readonly ToldEvent[]): Promise<void> {
    const findings = await this.#own?.findingsOf(news.map(({ event }) => event));
    for (const [at, told] of news.entries()) {
      const finding = findings?.[at] ?? 'unknown';
      const key = keyOf(told.event);
      const wasUndecided = this.#drop(told.event);
      // Of what was undone it counts only whether it was told: the service's list may be another by now.
      const wasTold = !wasUndecided && !this.#silent.has(key);
      if (told.state === 'undone') {
        if (wasTold) this.#tellOne(told, doerOf(finding));
      } else if (finding === 'service') this.#silent.add(key);
      else if (isOpen(finding)) this.#undecided = [...this.#undecided, told.event];
      else this.#tellOne(told, doerOf(finding));
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
      if (finding === 'service') {
        this.#silent.add(keyOf(event));
        continue;
      }
      if (isOpen(finding) && newestTimestamp - timestamp <= patienceSeconds)
        this.#undecided = [...this.#undecided, event];
      else this.#tellOne({ event, state: number <= finalNumber ? 'final' : 'notFinal' }, doerOf(finding));
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
