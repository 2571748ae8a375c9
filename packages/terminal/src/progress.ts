import type { Attestation } from 'imprimatur-client';
import { printable } from './text.ts';

export interface ProgressOutput {
  readonly isTTY?: boolean;
  /** Width of the terminal, in characters. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** Assumed width of a terminal that does not report one. */
const defaultColumns = 80;

/** Reveal delay in the service interface, in seconds. */
const defaultRevealDelaySeconds = 60;

/** Clears a line that fills this many rows, with the cursor in the last row. */
const clearSequence = (rows: number) => `\r${rows > 1 ? `\x1b[${rows - 1}A` : ''}\x1b[J`;

const secondsSince = (moment: number) => Math.floor((performance.now() - moment) / 1000);

const elapsedText = (moment: number) => `${secondsSince(moment).toString().padStart(5)} s  `;

/** Shows progress: on a terminal as one line that counts seconds, otherwise as one line for each change. */
export class Progress {
  readonly #output: ProgressOutput;
  /** Reveal delay of the chain in seconds; `undefined` if unknown. */
  readonly #revealDelaySeconds: number | undefined;
  #formatLine: (columns: number) => string = () => '';
  #drawnCharacters = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastDescription = '';
  #status = '';
  #committedAt: number | undefined;

  constructor(output: ProgressOutput, revealDelaySeconds?: number) {
    this.#output = output;
    this.#revealDelaySeconds = revealDelaySeconds;
  }

  print(line: string): void {
    this.end();
    this.#output.write(`${line}\n`);
  }

  /** Shows the current step of the command, until other output follows. */
  showStep(step: string): void {
    this.end();
    const startedAt = performance.now();
    if (this.#output.isTTY) this.track(() => `${elapsedText(startedAt)}${step}`);
    else this.print(step);
  }

  /** Shows a line on a terminal and redraws it every second, until other output follows. */
  track(formatLine: (columns: number) => string): void {
    if (!this.#output.isTTY) return;
    this.#formatLine = formatLine;
    // `unref`, so that the timer does not keep the process alive.
    this.#timer ??= setInterval(() => this.#draw(), 1000).unref();
    this.#draw();
  }

  /** Shows the state of an attestation, `elapsedSeconds` after the wait started. */
  show(attestation: Attestation, elapsedSeconds: number): void {
    const now = performance.now();
    const startedAt = now - elapsedSeconds * 1000;
    // The time of the commit is known only if this command observed the change.
    if (attestation.status === 'committed' && this.#status === 'pending') this.#committedAt = now;
    this.#status = attestation.status;
    if (this.#output.isTTY) {
      this.track(() => printable(`${elapsedText(startedAt)}${this.#waitingFor(attestation)}`));
      return;
    }
    const description = printable(this.#describedWithHash(attestation));
    if (description !== this.#lastDescription) this.print(`${elapsedText(startedAt)}${description}`);
    this.#lastDescription = description;
  }

  /** Ends the line that `track` redraws. Call this method before any other output. */
  end(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#draw();
    this.#output.write('\n');
    this.#drawnCharacters = 0;
  }

  #draw(): void {
    const columns = this.#output.columns || defaultColumns;
    // If the terminal was made narrower, the line now fills several rows.
    const rows = Math.ceil(this.#drawnCharacters / columns);
    // A character in the last column would make some terminals start a new row.
    const text = this.#formatLine(columns).slice(0, Math.max(1, columns - 1));
    this.#output.write(`${clearSequence(rows)}${text}`);
    this.#drawnCharacters = text.length;
  }

  /** Omits hashes, which would not fit in one line. */
  #waitingFor(attestation: Attestation): string {
    const { status, revealTxHash } = attestation;
    if (status === 'pending') return 'pending: waiting for the commit to be mined';
    if (status === 'committed' && revealTxHash) return 'revealed: waiting for the block to be final';
    return status === 'committed' ? `committed, ${this.#delayProgress()}` : describe(attestation, () => '');
  }

  #describedWithHash(attestation: Attestation): string {
    const description = describe(attestation, (hash) => (hash ? ` in ${hash}` : ''));
    const delay = attestation.status === 'committed' ? `, reveal delay of ${this.#delay}` : '';
    return `${description}${delay}`;
  }

  get #delay(): string {
    const about = this.#revealDelaySeconds === undefined ? 'about ' : '';
    return `${about}${this.#revealDelaySeconds ?? defaultRevealDelaySeconds} s`;
  }

  #delayProgress(): string {
    if (this.#committedAt === undefined) return `reveal delay of ${this.#delay}`;
    const seconds = secondsSince(this.#committedAt);
    const isOver = seconds >= (this.#revealDelaySeconds ?? defaultRevealDelaySeconds);
    return isOver ? 'waiting for the reveal to be mined' : `reveal delay: ${seconds} of ${this.#delay}`;
  }
}

function describe(attestation: Attestation, suffixOf: (hash: string | null | undefined) => string): string {
  const { status, commitTxHash, revealTxHash, attestationIndex } = attestation;
  if (status === 'committed') return `committed${suffixOf(commitTxHash)}`;
  if (status !== 'confirmed') return status;
  if (attestation.childLinkTxHash) return `linked${suffixOf(attestation.childLinkTxHash)}`;
  if (attestation.childAttestationId) return 'confirmed: waiting for the link to be mined';
  return `confirmed as number ${attestationIndex}${suffixOf(revealTxHash)}`;
}
