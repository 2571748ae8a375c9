/** Output of progress: a terminal, or else a pipe or a file. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  /** Width of the terminal, in characters. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** The time as a line that counts seconds needs it. */
export interface Ticker {
  /** Milliseconds since some moment. */
  now(): number;
  /** Calls this every second. @returns what ends that */
  everySecond(act: () => void): () => void;
}

export const realTicker: Ticker = {
  now: () => performance.now(),
  everySecond: (act) => {
    const timer = setInterval(act, 1000);
    // A line that counts keeps no process alive.
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** Width that is assumed of a terminal that does not know its own. */
export const usualColumns = 80;

/** Clears a line that fills so many rows, on the last of which the cursor is. */
const clear = (rows: number) => `\r${rows > 1 ? `\x1b[${rows - 1}A` : ''}\x1b[J`;

/** One line of a terminal that is written over every second. It is cut where the terminal is narrower. */
export class StatusLine {
  readonly #output: ProgressOutput;
  readonly #ticker: Ticker;
  #text: () => string = () => '';
  #drawn = 0;
  #stop: (() => void) | undefined;

  constructor(output: ProgressOutput, ticker: Ticker) {
    this.#output = output;
    this.#ticker = ticker;
  }

  /** Shows a text in place of the last one, made anew every second. */
  show(text: () => string): void {
    this.#text = text;
    this.#stop ??= this.#ticker.everySecond(() => this.#draw());
    this.#draw();
  }

  /** Leaves the text as a line of its own; called before any other output. */
  end(): void {
    if (!this.#stop) return;
    this.#stop();
    this.#stop = undefined;
    this.#draw();
    this.#output.write('\n');
    this.#drawn = 0;
  }

  #draw(): void {
    const columns = this.#output.columns || usualColumns;
    // The terminal was made narrower meanwhile: what was one row fills several now.
    const rows = Math.ceil(this.#drawn / columns);
    // A character in the last column would make some terminals begin the next row.
    const text = this.#text().slice(0, Math.max(1, columns - 1));
    this.#output.write(`${clear(rows)}${text}`);
    this.#drawn = text.length;
  }
}
