import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { version?: string; resolved?: string }>;
};
const installed = Object.entries(packages).filter(([path]) => path !== '');

// npm writes packages of other platforms without a version when it updates a lockfile that names no registry.
test('the lockfile has a version for every package, so that npm ci works on every platform', () => {
  expect(installed.filter(([, { version }]) => !version).map(([path]) => path)).toEqual([]);
});

test('the lockfile names no registry', () => {
  expect(installed.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
});

test('every dependency is pinned exactly', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const versions = Object.values<string>({ ...dependencies, ...devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
