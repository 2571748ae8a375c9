import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { PlainError } from '../../../local/terminal/plain-error.ts';
import type { SectionName } from './section.ts';

/** The document has lost the place where a section's results go. */
export class DocumentMarkerMissingError extends PlainError {
  override readonly name = 'DocumentMarkerMissingError';
}

const begin = (name: SectionName) => `<!-- bench ${name}: begin -->`;
const end = (name: SectionName) => `<!-- bench ${name}: end -->`;

/** Replaces a section's results in the text. @throws DocumentMarkerMissingError */
export function replaceResults(text: string, name: SectionName, results: string): string {
  const start = text.indexOf(begin(name));
  const stop = text.indexOf(end(name));
  if (start < 0 || stop < start) {
    throw new DocumentMarkerMissingError(
      `the document has no lines "${begin(name)}" and "${end(name)}" to write between`,
    );
  }
  return `${text.slice(0, start + begin(name).length)}\n\n${results}\n\n${text.slice(stop)}`;
}

/** Replaces the results of the sections that were measured, and leaves the others as they are. */
export function writeDocument(path: string, results: ReadonlyMap<SectionName, string>): void {
  const before = readFileSync(path, 'utf8');
  const after = [...results].reduce((text, [name, result]) => replaceResults(text, name, result), before);
  writeFileSync(path, after);
}

/** Describes the machine and the time of a measurement: a duration means nothing without them. */
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
