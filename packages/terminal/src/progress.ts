import type { Attestation } from 'imprimatur-client';
import { printable } from './text.ts';

/** Output of progress: a terminal, or else a pipe or a file. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  /** Width of the terminal, in characters. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** Width that is assumed of a terminal that does not know its own. */
const usualColumns = 80;

/** Reveal delay of the interface document, in seconds. */
const usualRevealDelaySeconds = 60;

/** Clears a line that fills so many rows, on the last of which the cursor is. */
const clear = (rows: number) => `\r${rows > 1 ? `\x1b[${rows - 1}A` : ''}\x1b[J`;

const secondsSince = (moment: number) => Math.floor((performance.now() - moment) / 1000);

const since = (moment: number) => `${secondsSince(moment).toString().padStart(5)} s  `;

/**
 * Progress of a command: on a terminal one line that says what is waited for and counts the seconds, elsewhere a line
 * whenever something changes.
 */
export class Progress {
  readonly #output: ProgressOutput;
  /** Delay of the chain, in seconds; without it the usual one is named as such. */
  readonly #revealDelaySeconds: number | undefined;
  #lineOf: (columns: number) => string = () => '';
  #drawnCharacters = 0;
  #timer: NodeJS.Timeout | undefined;
  #said = '';
  #status = '';
  #committedAt: number | undefined;

  constructor(output: ProgressOutput, revealDelaySeconds?: number) {
    this.#output = output;
    this.#revealDelaySeconds = revealDelaySeconds;
  }

  /** Writes a line that stays. */
  say(line: string): void {
    this.end();
    this.#output.write(`${line}\n`);
  }

  /** Says what is waited for from now on, until something else is said. */
  waitFor(what: string): void {
    this.end();
    const startedAt = performance.now();
    if (this.#output.isTTY) this.track(() => `${since(startedAt)}${what}`);
    else this.say(what);
  }

  /** Shows a line on a terminal, made again every second for its columns, until something else is said. */
  track(lineOf: (columns: number) => string): void {
    if (!this.#output.isTTY) return;
    this.#lineOf = lineOf;
    // A line that counts keeps no process alive.
    this.#timer ??= setInterval(() => this.#draw(), 1000).unref();
    this.#draw();
  }

  /** Shows an attestation as it was seen so many seconds after the wait for it began. */
  show(attestation: Attestation, elapsedSeconds: number): void {
    const now = performance.now();
    const startedAt = now - elapsedSeconds * 1000;
    // Only a change that was seen says when it was.
    if (attestation.status === 'committed' && this.#status === 'pending') this.#committedAt = now;
    this.#status = attestation.status;
    if (this.#output.isTTY) {
      this.track(() => printable(`${since(startedAt)}${this.#waitingFor(attestation)}`));
      return;
    }
    const description = printable(this.#described(attestation));
    if (description !== this.#said) this.say(`${since(startedAt)}${description}`);
    this.#said = description;
  }

  /** Leaves the line that counts seconds as it is; called before any other output. */
  end(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#draw();
    this.#output.write('\n');
    this.#drawnCharacters = 0;
  }

  #draw(): void {
    const columns = this.#output.columns || usualColumns;
    // The terminal was made narrower meanwhile: what was one row fills several now.
    const rows = Math.ceil(this.#drawnCharacters / columns);
    // A character in the last column would make some terminals begin the next row.
    const text = this.#lineOf(columns).slice(0, Math.max(1, columns - 1));
    this.#output.write(`${clear(rows)}${text}`);
    this.#drawnCharacters = text.length;
  }

  /** For a terminal, without hashes: they are longer than a line. */
  #waitingFor(attestation: Attestation): string {
    const { status, revealTxHash } = attestation;
    if (status === 'pending') return 'pending, waits for its commit to be mined';
    if (status === 'committed' && revealTxHash) return 'revealed, waits for its block to be final';
    return status === 'committed' ? `committed, ${this.#delayLeft()}` : describe(attestation, () => '');
  }

  #described(attestation: Attestation): string {
    const description = describe(attestation, (hash) => (hash ? ` in ${hash}` : ''));
    const delay = attestation.status === 'committed' ? `, reveal delay of ${this.#delay}` : '';
    return `${description}${delay}`;
  }

  get #delay(): string {
    const about = this.#revealDelaySeconds === undefined ? 'about ' : '';
    return `${about}${this.#revealDelaySeconds ?? usualRevealDelaySeconds} s`;
  }

  #delayLeft(): string {
    if (this.#committedAt === undefined) return `reveal delay of ${this.#delay}`;
    const seconds = secondsSince(this.#committedAt);
    const isOver = seconds >= (this.#revealDelaySeconds ?? usualRevealDelaySeconds);
    return isOver ? 'waits for its reveal to be mined' : `reveal delay: ${seconds} of ${this.#delay}`;
  }
}

function describe(attestation: Attestation, inside: (hash: string | null | undefined) => string): string {
  const { status, commitTxHash, revealTxHash, attestationIndex } = attestation;
  if (status === 'committed') return `committed${inside(commitTxHash)}`;
  if (status !== 'confirmed') return status;
  if (attestation.childLinkTxHash) return `linked${inside(attestation.childLinkTxHash)}`;
  if (attestation.childAttestationId) return 'confirmed, waits for its link to be mined';
  return `confirmed as number ${attestationIndex}${inside(revealTxHash)}`;
}
