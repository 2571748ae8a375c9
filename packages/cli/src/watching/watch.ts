import type { Address, Block, EventReader, Hex } from 'imprimatur-verifier';
import { CommandError } from '../errors.ts';
import type { Cursor, CursorFile, Subject } from './cursor.ts';
import type { OwnEvents } from './own-events.ts';
import { keyOf, type ToldEvents } from './told-events.ts';

/** Blocks that are asked for at once; providers that give fewer are asked again for fewer. */
const maxBlocks = 10_000;

/** Where a reading ends, with its hash where that is known. */
interface LastBlock {
  readonly number: number;
  readonly hash?: Hex;
}

interface WatchParts {
  readonly subject: Subject;
  /** The public registry, where it is on the chain: it documents no events, and what is done there is not seen. */
  readonly unwatched: Address | undefined;
  readonly reader: EventReader;
  /** `undefined` where the service is not asked. */
  readonly own: OwnEvents | undefined;
  readonly cursor: Cursor;
  /** Where the place is kept; `undefined` where it is not. */
  readonly file: Pick<CursorFile, 'write'> | undefined;
  readonly told: ToldEvents;
  /** Depth from which a block counts as final, where the provider does not say. */
  readonly finalDepth: number;
}

/** A watch over an authority's name on one chain: each look tells what is new, and what a reorg has undone. */
export class Watch {
  readonly parts: WatchParts;
  cursor: Cursor;

  constructor(parts: WatchParts) {
    this.parts = parts;
    this.cursor = parts.cursor;
  }

  /** Looks once, up to the newest block. Where the service cannot be asked, that is thrown after all is read and told. */
  async look(): Promise<void> {
    const { own, told } = this.parts;
    own?.forgetFailure();
    const newest = await this.#read();
    await told.decide(newest.timestamp, this.cursor.block.number);
    await this.#keep(this.cursor);
    own?.throwFailure();
  }

  async #read(): Promise<Block> {
    const { reader, finalDepth } = this.parts;
    const { newest, final: last } = await reader.ends();
    await this.#checkPlace();
    const final = last?.number ?? Math.max(0, newest.number - finalDepth);
    const seen = new Set<string>();
    let from = this.cursor.block.number + 1;
    while (from <= final) {
      const { number, hash } = await this.#tellNew(from, last ?? { number: final }, 'final', seen);
      // Everything up to a final block was told: the next watch goes on after it.
      await this.#keep({ ...this.cursor, block: { number, hash } });
      from = number + 1;
    }
    while (from <= newest.number) from = (await this.#tellNew(from, newest, 'notFinal', seen)).number + 1;
    await this.#settle(seen);
    return newest;
  }

  /** @throws CommandError where the chain has replaced what was final */
  async #checkPlace(): Promise<void> {
    const { number, hash } = this.cursor.block;
    const block = await this.parts.reader.block(number);
    // A provider that lags may not have the block yet.
    if (block === undefined || block.hash === hash) return;
    throw new CommandError(
      `block ${number} was final and has been replaced; start again from an earlier block, with --since and without --cursor`,
    );
  }

  /** Tells what is new in these blocks, or in the first of them, and gives the last that was read. */
  async #tellNew(
    from: number,
    last: LastBlock,
    state: 'final' | 'notFinal',
    seen: Set<string>,
  ): Promise<Block> {
    const to = last.number - from < maxBlocks ? last : { number: from + maxBlocks - 1 };
    const { events, end } = await this.parts.reader.events(from, to.number, to.hash);
    for (const event of events) seen.add(keyOf(event));
    const { unfinal } = this.cursor;
    const known = new Set(unfinal.map(keyOf));
    const news = events.filter((event) => !known.has(keyOf(event)));
    await this.parts.told.tell(news.map((event) => ({ event, state })));
    if (state === 'notFinal' && news.length > 0)
      await this.#keep({ ...this.cursor, unfinal: [...unfinal, ...news] });
    return end;
  }

  /**
   * Forgets what has become final, and tells what is not there any more. That an event was not seen proves nothing, since a
   * provider may lack logs: only another block in the place of its own does.
   */
  async #settle(seen: ReadonlySet<string>): Promise<void> {
    for (const event of this.cursor.unfinal) {
      const { number, hash } = event.block;
      const isOpen = number > this.cursor.block.number;
      const block = seen.has(keyOf(event)) ? event.block : await this.parts.reader.block(number);
      const isUndone = block && block.hash !== hash;
      // Without the block, a provider that lags says nothing: another look may show it.
      if (!isUndone && (isOpen || !block)) continue;
      const left = { ...this.cursor, unfinal: this.cursor.unfinal.filter((one) => one !== event) };
      if (isUndone) {
        await this.parts.told.tell([{ event, state: 'undone' }]);
        await this.#keep(left);
      } else this.cursor = left;
    }
  }

  /** Keeps what was told before anything more is read: where that fails, it is not told again. */
  async #keep(cursor: Cursor): Promise<void> {
    this.cursor = cursor;
    const { told, file } = this.parts;
    const silent = told.silentAmong(cursor.unfinal);
    await file?.write({ cursor, undecided: told.undecided, silent });
  }
}
