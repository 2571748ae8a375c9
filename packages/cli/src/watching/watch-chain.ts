import type { AuthorityEvent, Block, ChainEnds, EventReader, Hex } from 'imprimatur-verifier';
import { WatchBrokenError } from '../errors.ts';
import type { Cursor } from './cursor.ts';

/** An event, and how firm it is. */
export interface ToldEvent {
  readonly event: AuthorityEvent;
  /** `undone`: it was told as not final, and a reorganisation has taken it back. */
  readonly state: 'final' | 'notFinal' | 'undone';
}

/** How a watch tells, and keeps its place. */
export interface WatchOutput {
  /** Tells events in their order. */
  tell(told: readonly ToldEvent[]): Promise<void>;
  keep(cursor: Cursor): Promise<void>;
}

/** Blocks that are asked for at once; providers that give fewer are asked again for fewer. */
const maxBlocks = 10_000;

/** Names an event in its block. */
export const keyOf = ({ block, logIndex }: AuthorityEvent) => `${block.hash}/${logIndex}`;

/** Where a reading ends, with its hash where that is known. */
interface LastBlock {
  readonly number: number;
  readonly hash?: Hex;
}

/** A chain that is watched: each look tells what is new, and what a reorganisation has undone. */
export class ChainWatch {
  readonly #reader: EventReader;
  readonly #output: WatchOutput;
  /** Depth from which a block counts as final, where the provider does not say. */
  readonly #finalDepth: number;
  #cursor: Cursor;

  constructor(reader: EventReader, cursor: Cursor, finalDepth: number, output: WatchOutput) {
    this.#reader = reader;
    this.#cursor = cursor;
    this.#finalDepth = finalDepth;
    this.#output = output;
  }

  get cursor(): Cursor {
    return this.#cursor;
  }

  /** Looks once, up to the newest block, and gives that. @throws WatchBrokenError, EventsUnavailableError */
  async look(): Promise<Block> {
    const ends = await this.#reader.ends();
    await this.#checkPlace();
    const final = finalNumber(ends, this.#finalDepth);
    const seen = new Set<string>();
    let from = this.#cursor.block.number + 1;
    while (from <= final) {
      const { number, hash } = await this.#tellNew(from, ends.final ?? { number: final }, 'final', seen);
      // Everything up to a final block was told: the next watch goes on after it.
      await this.#keep({ ...this.#cursor, block: { number, hash } });
      from = number + 1;
    }
    while (from <= ends.newest.number)
      from = (await this.#tellNew(from, ends.newest, 'notFinal', seen)).number + 1;
    await this.#settle(seen);
    return ends.newest;
  }

  /** @throws WatchBrokenError where the chain has replaced what was final */
  async #checkPlace(): Promise<void> {
    const { number, hash } = this.#cursor.block;
    const block = await this.#reader.block(number);
    // A provider that lags may not have the block yet.
    if (block === undefined || block.hash === hash) return;
    throw new WatchBrokenError(
      `the chain has another block ${number} than the watch had met as final: begin again further back, with --since and without the cursor`,
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
    const { events, end } = await this.#reader.events(from, to.number, to.hash);
    for (const event of events) seen.add(keyOf(event));
    const { unfinal } = this.#cursor;
    const told = new Set(unfinal.map(keyOf));
    const news = events.filter((event) => !told.has(keyOf(event)));
    await this.#output.tell(news.map((event) => ({ event, state })));
    if (state === 'notFinal' && news.length > 0)
      await this.#keep({ ...this.#cursor, unfinal: [...unfinal, ...news] });
    return end;
  }

  /**
   * Forgets what has become final, and tells what is not there any more. That an event was not seen proves nothing, since a
   * provider may lack logs: only another block in the place of its own does.
   */
  async #settle(seen: ReadonlySet<string>): Promise<void> {
    for (const event of this.#cursor.unfinal) {
      const { number, hash } = event.block;
      const isOpen = number > this.#cursor.block.number;
      const block = seen.has(keyOf(event)) ? event.block : await this.#reader.block(number);
      const isUndone = block && block.hash !== hash;
      // Without the block, a provider that lags says nothing: another look may show it.
      if (!isUndone && (isOpen || !block)) continue;
      const left = { ...this.#cursor, unfinal: this.#cursor.unfinal.filter((one) => one !== event) };
      if (isUndone) {
        await this.#output.tell([{ event, state: 'undone' }]);
        await this.#keep(left);
      } else this.#cursor = left;
    }
  }

  /** Keeps what was told before anything more is read: where that fails, it is not told again. */
  async #keep(cursor: Cursor): Promise<void> {
    this.#cursor = cursor;
    await this.#output.keep(cursor);
  }
}

function finalNumber({ newest, final }: ChainEnds, depth: number): number {
  return final?.number ?? Math.max(0, newest.number - depth);
}
