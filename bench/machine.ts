import { cpus, loadavg, totalmem } from 'node:os';

/** Where and when something was measured: without it a time says nothing. */
export function describeMachine(now: Date): string {
  const [cpu] = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return (
    `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${cpus().length} cores ` +
    `(${cpu?.model.trim() || 'unknown'}), ${gibibytes} GiB, load ${load}, ` +
    `${process.platform}-${process.arch}, Node ${process.version}`
  );
}
