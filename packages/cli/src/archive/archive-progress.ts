import type { Clock } from 'imprimatur-client';
import { printable } from 'imprimatur-terminal/text';
import { durationText } from '../text.ts';
import { grouped } from './report.ts';
import type { Counts } from './run.ts';
import type { SharedRetry } from './shared-retry.ts';

const windowSeconds = 60;
const maxBarWidth = 20;
const minBarWidth = 4;

/** Makes a function that formats the progress line: a bar, counts, the rate and the time left, or why requests wait. */
export function makeFormatter(clock: Clock, retry: Pick<SharedRetry, 'waiting'>, waitsForAll: boolean) {
  const samples: { readonly atMs: number; readonly sent: number; readonly settled: number }[] = [];

  function paceOf({ total, sent, failed, confirmed }: Counts): string[] {
    const { waiting } = retry;
    if (waiting) return [`${printable(waiting.reason)}: retry in ${durationText(waiting.seconds)}`];
    const [first, last] = [samples[0], samples.at(-1)];
    const seconds = first && last ? (last.atMs - first.atMs) / 1000 : 0;
    if (!first || !last || seconds < 1) return [];
    const sending = (last.sent - first.sent) / seconds;
    const settling = (last.settled - first.settled) / seconds;
    const allSent = sent >= total;
    const rate = allSent ? settling : sending;
    const remainingSeconds = [
      ...(allSent ? [] : [(total - sent) / sending]),
      ...(waitsForAll && settling > 0 ? [(total - confirmed - failed) / settling] : []),
    ];
    const longest = Math.max(0, ...remainingSeconds);
    const leftText = Number.isFinite(longest) && longest > 0 ? [`${durationText(longest)} left`] : [];
    return [...(rate > 0 ? [`${rate.toFixed(rate < 10 ? 1 : 0)}/s`] : []), ...leftText];
  }

  /** @param columns width of the terminal, in characters */
  return (counts: Counts, columns: number): string => {
    const { total, sent, confirmed, failed } = counts;
    const atMs = clock.now();
    samples.push({ atMs, sent, settled: confirmed + failed });
    while ((samples[0]?.atMs ?? atMs) < atMs - windowSeconds * 1000) samples.shift();
    const text = [
      `${grouped(sent)}/${grouped(total)} sent`,
      ...(waitsForAll ? [`${grouped(confirmed)} confirmed`] : []),
      ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
      ...paceOf(counts),
    ].join('  ');
    const share = waitsForAll ? (sent + confirmed + failed) / 2 : sent;
    // The last column of the terminal stays empty.
    return `${bar(share / total, columns - 1 - text.length)}${text}`;
  };
}

/** Formats a bar with two spaces after it. Returns an empty string if the bar does not fit. */
function bar(share: number, columns: number): string {
  const width = Math.min(maxBarWidth, columns - 4);
  if (width < minBarWidth) return '';
  const done = Math.floor(share * width);
  return `[${'#'.repeat(done)}${'-'.repeat(width - done)}]  `;
}
