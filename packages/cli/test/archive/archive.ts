import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { FakeTime } from '../../../client/test/fake-time.ts';
import type { ManifestEntry } from '../../src/archive/manifest.ts';
import type { Terminal } from '../../src/run-publisher.ts';
import { type Run, run } from '../run.ts';
import type { UnkindApi } from './unkind-api.ts';

/** An archive in a folder of its own, which is gone when the test ends. */
export class Archive {
  readonly folder = mkdtempSync(join(tmpdir(), 'archive-'));
  readonly #api: UnkindApi;

  constructor(api: UnkindApi, files: Readonly<Record<string, string | Uint8Array>>) {
    this.#api = api;
    onTestFinished(() => rmSync(this.folder, { recursive: true }));
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  /** The command over the whole folder, which begins without asking. */
  attest(options: readonly string[] = ['--yes'], more: Partial<Terminal> = {}): Promise<Run> {
    return this.command([this.folder, ...options], more);
  }

  command(words: readonly string[], more: Partial<Terminal> = {}): Promise<Run> {
    const argv = ['attest', ...words, '--manifest', this.path('imprimatur.lock.jsonl')];
    return run({ url: this.#api.url, received: [] }, argv, { clock: new FakeTime(), ...more });
  }

  get manifest(): ManifestEntry[] {
    const lines = readFileSync(this.path('imprimatur.lock.jsonl'), 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  }
}

/** Names and texts of so many articles. */
export function articles(count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return Object.fromEntries(numbers.map((at) => [`${at}.md`, `Article ${at}.\n`]));
}
