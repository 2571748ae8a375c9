import type { Address, AuthorityEvent, Block, EventReader } from '../../verifier/verifier.ts';
import type { Session } from '../session.ts';
import { type Cursor, type Subject, writeCursor } from './cursor.ts';
import type { OpenWatch } from './open-watch.ts';
import { firstBlockOfRegistries, type NewRegistries } from './registries.ts';
import { type Doer, ToldEvents } from './told-events.ts';
import { ChainWatch, type ToldEvent } from './watch-chain.ts';

/** Where a watch tells and keeps its place. */
export interface WatchOptions {
  readonly finalDepth: number;
  /** File of the watch; `undefined` where it keeps none. */
  readonly cursorPath: string | undefined;
  readonly note: Session['note'];
  write(told: ToldEvent, doer: Doer): void;
}

/** A watch over an authority's name: what is done on registries of one chain, of which there may come more. */
export class Watch {
  readonly #options: WatchOptions;
  readonly #reader: EventReader;
  readonly #newRegistries: NewRegistries;
  readonly #chain: ChainWatch;
  readonly #told: ToldEvents;
  #subject: Subject;
  /** Registries that are to be watched, and are not yet. */
  #later: readonly Address[];

  constructor(open: OpenWatch, options: WatchOptions) {
    const { subject, reader, own, cursor, undecided, later, newRegistries } = open;
    this.#options = options;
    this.#reader = reader;
    this.#newRegistries = newRegistries;
    this.#subject = subject;
    this.#later = later;
    this.#told = new ToldEvents(own, undecided, options.write);
    this.#chain = new ChainWatch(reader, cursor, options.finalDepth, {
      tell: (news) => this.#told.tell(news),
      keep: (place) => this.#keep(place),
    });
  }

  get subject(): Subject {
    return this.#subject;
  }

  /** The newest block up to which all is read and final. */
  get finalNumber(): number {
    return this.#chain.cursor.block.number;
  }

  /** How many events were told. */
  get toldCount(): number {
    return this.#told.count;
  }

  /** Events that may be the service's own, which it has under way. */
  get undecided(): readonly AuthorityEvent[] {
    return this.#told.undecided;
  }

  /** Asks the service whether it uses a registry that is not watched. @throws errors of the client, EventsUnavailableError */
  async learn(): Promise<void> {
    const { chainId, registries } = this.#subject;
    const found = await this.#newRegistries.find(chainId, [...registries, ...this.#later]);
    this.#later = [...this.#later, ...found];
  }

  /** Looks once, up to the newest block. @throws WatchBrokenError, EventsUnavailableError; errors of the client */
  async look(): Promise<void> {
    for (const registry of this.#later) await this.#join(registry);
    const newest: Block = await this.#chain.look();
    await this.#told.decide(newest.timestamp, this.finalNumber);
    await this.#keep(this.#chain.cursor);
  }

  async #join(registry: Address): Promise<void> {
    const { registries } = this.#subject;
    const from = await firstBlockOfRegistries(this.#reader);
    this.#options.note(`${registry} is watched too: reading what was done there from block ${from} on`);
    const all = [...registries, registry];
    await this.#chain.join(this.#reader.of([registry]), this.#reader.of(all), from);
    this.#subject = { ...this.#subject, registries: all };
    this.#later = this.#later.filter((one) => one !== registry);
    await this.#keep(this.#chain.cursor);
  }

  async #keep(cursor: Cursor): Promise<void> {
    const { cursorPath } = this.#options;
    const { registries } = this.#subject;
    if (cursorPath !== undefined)
      await writeCursor(cursorPath, this.#subject, { cursor, registries, undecided: this.undecided });
  }
}
