import type { Clock } from 'imprimatur-client';
import { printable } from 'imprimatur-terminal/text';
import { durationText } from '../text.ts';
import type { Patience } from './patience.ts';
import { grouped } from './report.ts';
import type { Counts } from './run.ts';

/** Seconds over which the rate is measured. */
const windowSeconds = 60;
const widestBar = 20;
const narrowestBar = 4;

interface Sample {
  readonly atMs: number;
  readonly sent: number;
  readonly settled: number;
}

/** The state of a run in one line: a bar, counts, the rate and the time left, or what all requests wait for. */
export class ArchiveProgress {
  readonly #clock: Clock;
  readonly #patience: Pick<Patience, 'waiting'>;
  readonly #waits: boolean;
  readonly #samples: Sample[] = [];

  /** @param waits whether the run goes on until all are confirmed */
  constructor(clock: Clock, patience: Pick<Patience, 'waiting'>, waits: boolean) {
    this.#clock = clock;
    this.#patience = patience;
    this.#waits = waits;
  }

  /** @param columns width of the terminal, in characters */
  line(counts: Counts, columns: number): string {
    const { total, sent, confirmed, failed } = counts;
    this.#sample(counts);
    const words = [
      `${grouped(sent)}/${grouped(total)} sent`,
      ...(this.#waits ? [`${grouped(confirmed)} confirmed`] : []),
      ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
      ...this.#pace(counts),
    ].join('  ');
    const share = this.#waits ? (sent + confirmed + failed) / 2 : sent;
    // The terminal's last column stays free.
    return `${bar(share / total, columns - 1 - words.length)}${words}`;
  }

  #sample({ sent, confirmed, failed }: Counts): void {
    const atMs = this.#clock.now();
    this.#samples.push({ atMs, sent, settled: confirmed + failed });
    while ((this.#samples[0]?.atMs ?? atMs) < atMs - windowSeconds * 1000) this.#samples.shift();
  }

  #pace({ total, sent, failed, confirmed }: Counts): string[] {
    const { waiting } = this.#patience;
    if (waiting) return [`${printable(waiting.reason)}: on in ${durationText(waiting.seconds)}`];
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    const seconds = first && last ? (last.atMs - first.atMs) / 1000 : 0;
    if (!first || !last || seconds < 1) return [];
    const sending = (last.sent - first.sent) / seconds;
    const settling = (last.settled - first.settled) / seconds;
    const isSent = sent >= total;
    const rate = isSent ? settling : sending;
    const left = [
      ...(isSent ? [] : [(total - sent) / sending]),
      ...(this.#waits && settling > 0 ? [(total - confirmed - failed) / settling] : []),
    ];
    const longest = Math.max(0, ...left);
    const shown = Number.isFinite(longest) && longest > 0 ? [`${durationText(longest)} left`] : [];
    return [...(rate > 0 ? [`${rate.toFixed(rate < 10 ? 1 : 0)}/s`] : []), ...shown];
  }
}

/** A bar with its space behind it; none where there is no room. */
function bar(share: number, room: number): string {
  const width = Math.min(widestBar, room - 4);
  if (width < narrowestBar) return '';
  const done = Math.floor(share * width);
  return `[${'#'.repeat(done)}${'-'.repeat(width - done)}]  `;
}
