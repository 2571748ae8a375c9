import type { Attestation } from 'imprimatur-client';
import { type ProgressOutput, realTicker, StatusLine, type Ticker, usualColumns } from './status-line.ts';
import { printable } from './text.ts';

/** Reveal delay of the interface document, in seconds. */
const usualRevealDelaySeconds = 60;

/**
 * Progress of a command: on a terminal one line that says what is waited for and counts the seconds, elsewhere a line
 * whenever something changes.
 */
export class Progress {
  readonly #output: ProgressOutput;
  readonly #ticker: Ticker;
  readonly #line: StatusLine;
  #shown = '';
  #status = '';
  #committedAt: number | undefined;

  /** Delay of the chain, in seconds; without it the usual one is named as such. */
  readonly #revealDelaySeconds: number | undefined;

  constructor(output: ProgressOutput, revealDelaySeconds?: number, ticker: Ticker = realTicker) {
    this.#output = output;
    this.#ticker = ticker;
    this.#line = new StatusLine(output, ticker);
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
    const startedAt = this.#ticker.now();
    if (this.#output.isTTY) this.#line.show(() => `${this.#since(startedAt)}${what}`);
    else this.say(what);
  }

  /** Shows a line on a terminal, made again every second for its columns, until something else is said. */
  track(lineOf: (columns: number) => string): void {
    if (this.#output.isTTY) this.#line.show(() => lineOf(this.#output.columns || usualColumns));
  }

  /** Shows an attestation as it was seen so many seconds after the wait for it began. */
  show(attestation: Attestation, elapsedSeconds: number): void {
    const now = this.#ticker.now();
    const startedAt = now - elapsedSeconds * 1000;
    // Only a change that was seen says when it was.
    if (attestation.status === 'committed' && this.#status === 'pending') this.#committedAt = now;
    this.#status = attestation.status;
    if (this.#output.isTTY)
      this.#line.show(() => printable(`${this.#since(startedAt)}${this.#waitingFor(attestation)}`));
    else this.#sayOnce(this.#since(startedAt), printable(this.#described(attestation)));
  }

  #sayOnce(since: string, description: string): void {
    if (description !== this.#shown) this.say(`${since}${description}`);
    this.#shown = description;
  }

  /** Ends the line that counts seconds; called before any other output. */
  end(): void {
    this.#line.end();
  }

  #secondsSince(moment: number): number {
    return Math.floor((this.#ticker.now() - moment) / 1000);
  }

  #since(moment: number): string {
    return `${this.#secondsSince(moment).toString().padStart(5)} s  `;
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
    return attestation.status === 'committed'
      ? `${description}, reveal delay of ${this.#delay()}`
      : description;
  }

  #delay(): string {
    return this.#revealDelaySeconds === undefined
      ? `about ${usualRevealDelaySeconds} s`
      : `${this.#revealDelaySeconds} s`;
  }

  #delayLeft(): string {
    if (this.#committedAt === undefined) return `reveal delay of ${this.#delay()}`;
    const seconds = this.#secondsSince(this.#committedAt);
    const isOver = seconds >= (this.#revealDelaySeconds ?? usualRevealDelaySeconds);
    return isOver ? 'waits for its reveal to be mined' : `reveal delay: ${seconds} of ${this.#delay()}`;
  }
}

function describe(attestation: Attestation, inside: (hash: string | null | undefined) => string): string {
  const { status, commitTxHash, revealTxHash, attestationIndex, childAttestationId, childLinkTxHash } =
    attestation;
  if (status === 'committed') return `committed${inside(commitTxHash)}`;
  if (status !== 'confirmed') return status;
  if (childLinkTxHash) return `linked${inside(childLinkTxHash)}`;
  if (childAttestationId) return 'confirmed, waits for its link to be mined';
  return `confirmed as number ${attestationIndex}${inside(revealTxHash)}`;
}
