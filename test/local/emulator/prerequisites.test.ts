import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it, test } from 'vitest';
import { findAnvil } from '../../../local/emulator/anvil.ts';
import { findPython } from '../../../local/emulator/find-python.ts';
import { installFolder } from '../../../local/emulator/install-folder.ts';
import { findPrerequisites } from '../../../local/emulator/prerequisites.ts';
import { requireJava } from '../../../local/emulator/require-java.ts';
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

test('findPython names a version to install that is not too new', () => {
  const find = () => findPython({ oldest: 11, newest: 13 }, machine({ python3: '3 14 1' }));
  expect(find).toThrow('only Python 3.14 is installed, but the emulator needs 3.11 to 3.13');
  expect(find).toThrow('apt install python3.13 python3.13-venv');
});

describe('requireJava', () => {
  const java17 = 'openjdk version "17.0.15" 2025-04-15';

  it('accepts Java from 17 with Maven', () => {
    expect(() => requireJava(machine({ java: java17, mvn: 'Apache Maven 3.8.7' }))).not.toThrow();
  });

  it.each([
    ['Java is not installed, and Maven is not installed', {}],
    ['only Java 11 is installed, but', { java: 'openjdk version "11.0.2"', mvn: 'Apache Maven 3.8.7' }],
    ['only Java 1 is installed, but', { java: 'java version "1.8.0_301"', mvn: 'Apache Maven 3.8.7' }],
    ['Maven is not installed, but', { java: java17 }],
  ])('explains in one line that %s', (problem, commands) => {
    const find = () => requireJava(machine(commands));
    expect(find).toThrow(problem);
    expect(find).toThrow(/^.*apt install openjdk-17-jre-headless maven.*$/);
  });
});

describe('installFolder', () => {
  const parent = mkdtempSync(`${tmpdir()}/imprimatur-install-`);
  afterAll(() => rmSync(parent, { recursive: true }));
  const write = (text: string) => async (draft: string) => {
    mkdirSync(draft);
    writeFileSync(`${draft}/file`, text);
  };

  it('leaves nothing of an interrupted installation', async () => {
    const interrupted = async (draft: string) => {
      await write('half')(draft);
      throw new PlainError('interrupted');
    };
    await expect(installFolder(`${parent}/a`, interrupted)).rejects.toThrow('interrupted');
    expect(readdirSync(parent)).toEqual([]);
  });

  it('replaces a broken folder', async () => {
    await installFolder(`${parent}/a`, write('old'));
    await installFolder(`${parent}/a`, write('new'));
    expect(readdirSync(parent)).toEqual(['a']);
    expect(readFileSync(`${parent}/a/file`, 'utf8')).toBe('new');
  });

  it('keeps the folder that another process builds meanwhile', async () => {
    await installFolder(`${parent}/b`, async (draft) => {
      await write('own')(draft);
      await write('other')(`${parent}/b`);
    });
    expect(readdirSync(parent)).toEqual(['a', 'b']);
    expect(readFileSync(`${parent}/b/file`, 'utf8')).toBe('other');
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
    java: () => {
      throw new PlainError('no Java');
    },
    anvil: () => {
      throw new PlainError('no anvil');
    },
  };

  it('lists everything that is missing, one per line', () => {
    const find = () => findPrerequisites({ python: { oldest: 10 }, java: true, chain: true }, missing);
    expect(find).toThrow('no Python\nno Java\nno anvil');
  });

  it('checks only what has to be started', () => {
    expect(findPrerequisites({ chain: false }, missing)).toEqual({});
    expect(() => findPrerequisites({ chain: true }, missing)).toThrow(/^no anvil$/);
  });
});
