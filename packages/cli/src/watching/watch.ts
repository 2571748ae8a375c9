import type { Address, AuthorityEvent } from 'imprimatur-verifier';
import type { Cursor, CursorFile, Subject } from './cursor.ts';
import type { OpenWatch } from './open-watch.ts';
import type { OwnEvents } from './own-events.ts';
import { type Doer, ToldEvents } from './told-events.ts';
import { ChainWatch, type ToldEvent } from './watch-chain.ts';

/** How a watch goes by depth, and where it tells. */
export interface WatchOptions {
  readonly finalDepth: number;
  write(told: ToldEvent, doer: Doer): void;
}

/** A watch over an authority's name: what is done on registries of one chain. */
export class Watch {
  readonly subject: Subject;
  /** The public registry, where it is on the chain: what is done there is not seen. */
  readonly unwatched: Address | undefined;
  readonly #file: CursorFile | undefined;
  readonly #chain: ChainWatch;
  readonly #told: ToldEvents;
  readonly #own: OwnEvents | undefined;

  constructor({ subject, reader, own, cursor, file, kept, unwatched }: OpenWatch, options: WatchOptions) {
    this.subject = subject;
    this.unwatched = unwatched;
    this.#file = file;
    this.#own = own;
    this.#told = new ToldEvents(own, kept, options.write);
    this.#chain = new ChainWatch(reader, cursor, options.finalDepth, {
      tell: (news) => this.#told.tell(news),
      keep: (place) => this.#keep(place),
    });
  }

  /** The newest block up to which all is read and final. */
  get finalNumber(): number {
    return this.#chain.cursor.block.number;
  }

  /** How many events were told. */
  get toldCount(): number {
    return this.#told.count;
  }

  /** Events of which it is not certain yet whether they are the service's own. */
  get undecided(): readonly AuthorityEvent[] {
    return this.#told.undecided;
  }

  /**
   * Looks once, up to the newest block. Where the service cannot be asked, that is thrown after all is read and told.
   * @throws WatchBrokenError, EventsUnavailableError; errors of the client
   */
  async look(): Promise<void> {
    this.#own?.forgetFailure();
    const newest = await this.#chain.look();
    await this.#told.decide(newest.timestamp, this.finalNumber);
    await this.#keep(this.#chain.cursor);
    this.#own?.throwFailure();
  }

  async #keep(cursor: Cursor): Promise<void> {
    const silent = this.#told.silentAmong(cursor.unfinal);
    await this.#file?.write({ cursor, undecided: this.undecided, silent });
  }
}
