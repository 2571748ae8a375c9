import type { Attestation } from 'imprimatur-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Progress } from '../src/progress.ts';

const pending: Attestation = {
  ...{ id: '019b76da-a800-7000-8000-00000000a001', chainId: 1, status: 'pending', error: null },
  ...{ registryAddress: '0x1', authorityAddress: '0x', contentCid: 'b' },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', childAttestationId: null, childLinkTxHash: null },
};
const commitTxHash = `0x${'c'.repeat(64)}`;
const revealTxHash = `0x${'e'.repeat(64)}`;
const committed: Attestation = { ...pending, status: 'committed', commitTxHash };
const confirmed: Attestation = { ...committed, status: 'confirmed', attestationIndex: 7, revealTxHash };

const escapeCode = '\u001b';

const advanceSeconds = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);

/** A line feed, a carriage return, an escape sequence, or text. */
const outputParts = new RegExp(`\\r|\\n|${escapeCode}\\[\\d*[AJ]|[^\\r\\n${escapeCode}]+`, 'g');

/** The rows of a terminal. Supports the escape sequences that progress uses. */
class FakeTerminal {
  readonly isTTY = true;
  columns = 80;
  #lines = [''];

  write(text: string): void {
    for (const [part] of text.matchAll(outputParts)) this.#apply(part);
  }

  #apply(part: string): void {
    if (part === '\r') return;
    if (part === '\n') this.#lines.push('');
    else if (part.endsWith('A') && part.startsWith('\u001b')) this.#lines.splice(-Number(part.slice(2, -1)));
    else if (part === '\u001b[J') this.#lines[this.#lines.length - 1] = '';
    else this.#append(part);
  }

  #append(text: string): void {
    const whole = `${this.#lines.pop()}${text}`;
    for (let start = 0; start < whole.length; start += this.columns)
      this.#lines.push(whole.slice(start, start + this.columns));
  }

  /** Changes the width and wraps the rows again. */
  resize(columns: number): void {
    const lines = this.#lines.splice(0);
    this.columns = columns;
    for (const line of lines) {
      this.#lines.push('');
      if (line !== '') this.#append(line);
    }
  }

  get rows(): readonly string[] {
    return this.#lines;
  }
}

let terminal: FakeTerminal;
let progress: Progress;

beforeEach(() => {
  vi.useFakeTimers();
  terminal = new FakeTerminal();
  progress = new Progress(terminal, 60);
});

afterEach(() => vi.useRealTimers());

test('progress counts seconds in one line, and shows the current step', () => {
  const rows: string[] = [];
  const recordRows = () => rows.push(...terminal.rows);
  progress.show(pending, 0);
  recordRows();
  advanceSeconds(3);
  recordRows();
  progress.show(committed, 5);
  advanceSeconds(23);
  recordRows();
  advanceSeconds(60);
  recordRows();
  progress.show({ ...committed, revealTxHash }, 90);
  recordRows();
  progress.show(confirmed, 95);
  recordRows();
  expect(rows).toEqual([
    '    0 s  pending: waiting for the commit to be mined',
    '    3 s  pending: waiting for the commit to be mined',
    '   28 s  committed, reveal delay: 23 of 60 s',
    '   88 s  committed, waiting for the reveal to be mined',
    '   90 s  revealed: waiting for the block to be final',
    '   95 s  confirmed as number 7',
  ]);
});

test('an unknown reveal delay is marked as approximate, and a delay is counted only if its start was observed', () => {
  progress = new Progress(terminal);
  progress.show(committed, 0);
  advanceSeconds(9);
  expect(terminal.rows).toEqual(['    9 s  committed, reveal delay of about 60 s']);
  progress.show(pending, 10);
  progress.show(committed, 11);
  advanceSeconds(1);
  expect(terminal.rows).toEqual(['   12 s  committed, reveal delay: 1 of about 60 s']);
});

test.each([80, 40, 2])('progress stays in one row of a terminal with %i columns', (columns) => {
  terminal.columns = columns;
  progress.show(pending, 0);
  advanceSeconds(12);
  expect(terminal.rows).toEqual([
    '   12 s  pending: waiting for the commit to be mined'.slice(0, columns - 1),
  ]);
});

test('progress leaves nothing behind when the terminal becomes narrower', () => {
  progress.print('before');
  progress.show(pending, 0);
  terminal.resize(20);
  expect(terminal.rows.length).toBeGreaterThan(2);
  advanceSeconds(1);
  expect(terminal.rows).toEqual(['before', '    1 s  pending: w']);
  terminal.resize(60);
  advanceSeconds(1);
  expect(terminal.rows).toEqual(['before', '    2 s  pending: waiting for the commit to be mined']);
});

test('progress counts the seconds of a step, and keeps its line before other output', () => {
  progress.showStep('deploying');
  advanceSeconds(12);
  progress.print('deployed');
  expect(terminal.rows).toEqual(['   12 s  deploying', 'deployed', '']);
  expect(vi.getTimerCount()).toBe(0);
});

test('progress escapes control characters of the service', () => {
  progress.show({ ...pending, status: '\u001b[2J' as Attestation['status'] }, 0);
  expect(terminal.rows).toEqual(['    0 s  \\u{1b}[2J']);
});

test('progress in a pipe prints one line for each change, with hashes', () => {
  let written = '';
  const piped = new Progress({ write: (text) => (written += text) }, 60);
  piped.showStep('deploying');
  advanceSeconds(9);
  for (const [elapsed, attestation] of [pending, pending, committed, confirmed].entries())
    piped.show(attestation, elapsed);
  piped.end();
  expect(written.split('\n')).toEqual([
    'deploying',
    '    0 s  pending',
    `    2 s  committed in ${commitTxHash}, reveal delay of 60 s`,
    `    3 s  confirmed as number 7 in ${revealTxHash}`,
    '',
  ]);
});
