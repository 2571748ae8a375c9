import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<
    string,
    {
      version?: string;
      resolved?: string;
      integrity?: string;
      inBundle?: true;
      link?: true;
      os?: string | string[];
      cpu?: string | string[];
      dev?: true;
      optional?: true;
      engines?: object;
      optionalDependencies?: Record<string, string>;
    }
  >;
};
/** Without the packages of this repository. */
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

test('the lockfile has a version for every package', () => {
  expect(installed.filter(([, { version }]) => !version).map(([path]) => path)).toEqual([]);
});

// npm leaves a package out when its registry did not have it, and then refuses to install. `npm run lockfile` adds it.
test('the lockfile has the packages of every platform', () => {
  const wanted = installed.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => [`node_modules/${name}`, `${path}/node_modules/${name}`]),
  );
  expect(wanted.filter((places) => !places.some((place) => packages[place]?.version))).toEqual([]);
});

// npm leaves out an optional package that requires a newer Node than the one that runs npm. But tests and tools run on
// the Node that npm installs.
test('the lockfile requires no version of Node for the optional packages of tests and tools', () => {
  const asking = installed.filter(([, { dev, optional, engines }]) => dev && optional && engines);
  expect(asking.map(([path]) => path)).toEqual([]);
});

// A package inside another package's archive has the integrity of that archive. A registry that lacks a platform's
// packages does not have their hashes: npm run lockfile lists these packages, and npm run release refuses them.
test('every package that is installed where the tests run has an integrity hash', () => {
  const isFor = (wanted: string | string[] | undefined, is: string) =>
    !wanted || [wanted].flat().includes(is);
  const unpinned = installed.filter(
    ([, { integrity, inBundle, os, cpu }]) =>
      !integrity && !inBundle && isFor(os, process.platform) && isFor(cpu, process.arch),
  );
  // Those of other C libraries are left out by npm.
  expect(unpinned.map(([path]) => path).filter((path) => !/musl/.test(path))).toEqual([]);
});

test('the lockfile contains Node itself, in the same version for every platform', () => {
  const nodes = installed.filter(([path]) => /^node_modules\/node-(bin-)?(darwin|linux)-/.test(path));
  expect(new Set(nodes.map(([, { version }]) => version)).size).toBe(1);
  expect(nodes.map(([, { os, cpu }]) => `${os} ${cpu}`)).toEqual([
    'darwin arm64',
    'darwin x64',
    'linux arm64',
    'linux x64',
  ]);
});

test('no script of a package runs when it is installed', () => {
  expect(readFileSync('.npmrc', 'utf8').split('\n')).toContain('ignore-scripts=true');
});

test('the lockfile names no registry', () => {
  expect(installed.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
});

test('every dependency is pinned exactly', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const versions = Object.values<string>({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(versions.filter((version) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test.each([
  'local/requirements.txt',
  'local/localstack/requirements.txt',
  'local/localstack/sources.txt',
  'contracts/forge/requirements.txt',
  'test/fuzz/requirements.txt',
  'test/templates/requirements.txt',
])('the Python packages of %s are pinned with hashes', (path) => {
  const lines = readFileSync(path, 'utf8').split('\n');
  const requirements = lines.filter((line) => /^[^\s#]/.test(line));
  expect(requirements.length).toBeGreaterThan(2);
  expect(requirements.filter((line) => !/^[\w.-]+==[\w.]+( ;.*)? \\$/.test(line))).toEqual([]);
  expect(lines.filter((line) => /^ +--hash=sha256:[0-9a-f]{64}/.test(line)).length).toBeGreaterThan(
    requirements.length - 1,
  );
});
