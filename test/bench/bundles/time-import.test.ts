import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { ModuleImportError, timeImport } from './time-import.ts';

const directory = mkdtempSync(`${tmpdir()}/bench-import-`);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function moduleOf(name: string, code: string): string {
  const path = `${directory}/${name}.mjs`;
  writeFileSync(path, code);
  return path;
}

test('times what a module does at its top, and the process around it', () => {
  const path = moduleOf('slow', 'await new Promise((resolve) => setTimeout(resolve, 120));');
  const { importMs, processMs } = timeImport(path);
  expect(importMs).toBeGreaterThan(115);
  expect(processMs).toBeGreaterThan(importMs);
});

test('does not wait for what a module leaves open', () => {
  const path = moduleOf('open', 'setInterval(() => undefined, 1000);');
  expect(timeImport(path).processMs).toBeLessThan(30_000);
});

test('gives a module the settings that functions parse when they are loaded', () => {
  const path = moduleOf(
    'settings',
    'if (JSON.parse(process.env.SETTINGS).chains.length !== 1) throw new Error();',
  );
  expect(timeImport(path).importMs).toBeGreaterThan(0);
});

test('refuses a module that cannot be loaded', () => {
  const path = moduleOf('broken', 'throw new Error("broken at its top");');
  expect(() => timeImport(path)).toThrow(ModuleImportError);
  expect(() => timeImport(path)).toThrow('broken at its top');
});
