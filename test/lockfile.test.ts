import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<
    string,
    {
      version?: string;
      resolved?: string;
      dev?: true;
      optional?: true;
      engines?: object;
      optionalDependencies?: Record<string, string>;
    }
  >;
};
const installed = Object.entries(packages).filter(([path]) => path !== '');

test('the lockfile has a version for every package', () => {
  expect(installed.filter(([, { version }]) => !version).map(([path]) => path)).toEqual([]);
});

// npm leaves one out when the registry it asked did not have it, and then refuses to install: npm run lockfile.
test('the lockfile has the packages of every platform', () => {
  const wanted = installed.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => [`node_modules/${name}`, `${path}/node_modules/${name}`]),
  );
  expect(wanted.filter((places) => !places.some((place) => packages[place]?.version))).toEqual([]);
});

// npm leaves one out when the Node that installs is older, but tests and tools run on the Node that is installed.
test('the lockfile asks no Node for the optional packages of tests and tools', () => {
  const asking = installed.filter(([, { dev, optional, engines }]) => dev && optional && engines);
  expect(asking.map(([path]) => path)).toEqual([]);
});

test('the lockfile names no registry', () => {
  expect(installed.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
});

test('every dependency is pinned exactly', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const versions = Object.values<string>({ ...dependencies, ...devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
