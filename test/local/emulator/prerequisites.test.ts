import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { findAnvil } from '../../../local/emulator/anvil.ts';
import { findPython } from '../../../local/emulator/find-python.ts';
import { findPrerequisites } from '../../../local/emulator/prerequisites.ts';
import { PlainError } from '../../../local/terminal/plain-error.ts';

/** A machine with these interpreters, each answering with its version and whether it can make environments. */
const machine = (interpreters: Record<string, string>) => (command: string) => interpreters[command];

describe('findPython', () => {
  it('takes the first Python from 3.10 that can create virtual environments', () => {
    expect(findPython({ oldest: 10 }, machine({ python3: '3 10 1' }))).toBe('python3');
    expect(
      findPython(
        { oldest: 10 },
        machine({ python3: '3 9 1', 'python3.12': '3 12 1', 'python3.11': '3 11 1' }),
      ),
    ).toBe('python3.12');
  });

  it('passes over a Python that is too new', () => {
    const installed = machine({ python3: '3 14 1', 'python3.13': '3 13 1' });
    expect(findPython({ oldest: 11, newest: 13 }, installed)).toBe('python3.13');
  });

  it.each([
    ['is none', {}, 'Python is not installed'],
    ['are only old ones', { python3: '3 9 1', python: '2 7 0' }, 'only Python 3.9 is installed'],
    ['is no venv', { python3: '3 11 0' }, 'Python 3.11 lacks the modules venv and ensurepip'],
  ])('explains in one line how to install Python if there %s', (_, interpreters, problem) => {
    const find = () => findPython({ oldest: 10 }, machine(interpreters));
    expect(find).toThrow(problem);
    expect(find).toThrow(/apt install .*python3-venv/);
  });
});

describe('findAnvil', () => {
  const directory = mkdtempSync(`${tmpdir()}/imprimatur-packages-`);
  afterAll(() => rmSync(directory, { recursive: true }));

  it('explains how to install it', () => {
    expect(() => findAnvil(directory)).toThrow('run npm ci');
  });

  it('falls back to the launcher', () => {
    mkdirSync(`${directory}/.bin`);
    writeFileSync(`${directory}/.bin/anvil`, '');
    expect(findAnvil(directory)).toBe(`${directory}/.bin/anvil`);
  });
});

describe('findPrerequisites', () => {
  const missing = {
    python: () => {
      throw new PlainError('no Python');
    },
    anvil: () => {
      throw new PlainError('no anvil');
    },
  };

  it('lists everything that is missing, one per line', () => {
    const find = () => findPrerequisites({ python: { oldest: 10 }, chain: true }, missing);
    expect(find).toThrow('no Python\nno anvil');
  });

  it('checks only what has to be started', () => {
    expect(findPrerequisites({ python: undefined, chain: false }, missing)).toEqual({});
    expect(() => findPrerequisites({ python: undefined, chain: true }, missing)).toThrow(/^no anvil$/);
  });
});
