import type { Address, Block, EventReader, Hex } from 'imprimatur-verifier';
import { CommandError } from '../errors.ts';
import type { Cursor, CursorFile, WatchTarget } from './cursor.ts';
import type { EventClassifier } from './event-classifier.ts';
import { keyOf, type ReportedEvents } from './reported-events.ts';

/** Maximum number of blocks in one request. The reader splits it for providers with a lower limit. */
const maxBlocks = 10_000;

/** The last block to read, with its hash if known. */
interface LastBlock {
  readonly number: number;
  readonly hash?: Hex;
}

interface WatchParts {
  readonly target: WatchTarget;
  /** The public registry of the chain, which documents no events and cannot be watched. */
  readonly unwatched: Address | undefined;
  readonly reader: EventReader;
  readonly classifier: EventClassifier | undefined;
  readonly cursor: Cursor;
  /** Stores the progress; `undefined` without `--cursor`. */
  readonly file: Pick<CursorFile, 'write'> | undefined;
  readonly reporter: ReportedEvents;
  /** Depth from which a block counts as final if the provider does not report final blocks. */
  readonly finalDepth: number;
}

/** Watches an authority on one chain. Each check reports new events and events that a reorg removed. */
export class Watch {
  readonly parts: WatchParts;
  cursor: Cursor;

  constructor(parts: WatchParts) {
    this.parts = parts;
    this.cursor = parts.cursor;
  }

  /** Checks once, up to the newest block. Throws errors of the service at the end. */
  async check(): Promise<void> {
    const { classifier, reporter } = this.parts;
    classifier?.forgetFailure();
    const newest = await this.#read();
    await reporter.decide(newest.timestamp, this.cursor.block.number);
    await this.#store(this.cursor);
    classifier?.throwFailure();
  }

  async #read(): Promise<Block> {
    const { reader, finalDepth } = this.parts;
    const { newest, final: last } = await reader.heads();
    await this.#checkFinalBlock();
    const final = last?.number ?? Math.max(0, newest.number - finalDepth);
    const seen = new Set<string>();
    let from = this.cursor.block.number + 1;
    while (from <= final) {
      const { number, hash } = await this.#reportNew(from, last ?? { number: final }, 'final', seen);
      // Everything up to a final block was reported, so the next watch starts after it.
      await this.#store({ ...this.cursor, block: { number, hash } });
      from = number + 1;
    }
    while (from <= newest.number) from = (await this.#reportNew(from, newest, 'notFinal', seen)).number + 1;
    await this.#settleProvisional(seen);
    return newest;
  }

  /** @throws CommandError if a final block was replaced */
  async #checkFinalBlock(): Promise<void> {
    const { number, hash } = this.cursor.block;
    const block = await this.parts.reader.block(number);
    // A provider that lags may not have the block yet.
    if (block === undefined || block.hash === hash) return;
    throw new CommandError(
      `block ${number} was final and has been replaced; start again from an earlier block, with --since and without --cursor`,
    );
  }

  /** Reports the new events of at most `maxBlocks` blocks, starting at `from`. @returns the last block that was read */
  async #reportNew(from: number, last: LastBlock, state: 'final' | 'notFinal', seen: Set<string>) {
    const to = last.number - from < maxBlocks ? last : { number: from + maxBlocks - 1 };
    const { events, end } = await this.parts.reader.events(from, to.number, to.hash);
    for (const event of events) seen.add(keyOf(event));
    const { provisional } = this.cursor;
    const known = new Set(provisional.map(keyOf));
    const newEvents = events.filter((event) => !known.has(keyOf(event)));
    await this.parts.reporter.report(newEvents.map((event) => ({ event, state })));
    if (state === 'notFinal' && newEvents.length > 0)
      await this.#store({ ...this.cursor, provisional: [...provisional, ...newEvents] });
    return end;
  }

  /** Forgets events that are now final, and reports events whose block was replaced. A missing log does not prove that. */
  async #settleProvisional(seen: ReadonlySet<string>): Promise<void> {
    for (const event of this.cursor.provisional) {
      const { number, hash } = event.block;
      const isNotFinal = number > this.cursor.block.number;
      const block = seen.has(keyOf(event)) ? event.block : await this.parts.reader.block(number);
      const isUndone = block && block.hash !== hash;
      // Without the block, nothing is known: the provider may lag.
      if (!isUndone && (isNotFinal || !block)) continue;
      const rest = { ...this.cursor, provisional: this.cursor.provisional.filter((one) => one !== event) };
      if (isUndone) {
        await this.parts.reporter.report([{ event, state: 'undone' }]);
        await this.#store(rest);
      } else this.cursor = rest;
    }
  }

  /** Stores reported events before more is read, so that the watch does not report them again after a failure. */
  async #store(cursor: Cursor): Promise<void> {
    this.cursor = cursor;
    const { reporter, file } = this.parts;
    const unreported = reporter.keepUnreported(cursor.provisional);
    await file?.write({ cursor, undecided: reporter.undecided, unreported });
  }
}
