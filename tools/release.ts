import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from '../local/checkout.ts';

const help = `Usage: npm run release -- [options] [directory]

Build a release: the packages, the pages, an SBOM (CycloneDX), and SHA256SUMS.

Arguments:
  directory  directory to write to (default: .local/release)

Options:
  --draft    build even if the checkout is not ready for a release
  --help     print this help

Checks: no uncommitted changes, equal versions, a heading in CHANGELOG.md, integrity of all locked packages, npm audit.

Exit codes:
  0  success
  1  a check failed, or wrong usage

Examples:
  npm run release
  npm run release -- --draft /tmp/release`;

const published = ['packages/client', 'packages/verifier', 'packages/cli'];

const readJson = (path: string) => JSON.parse(readFileSync(`${checkout}/${path}`, 'utf8'));
const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' });

/** Lists the problems that prevent a release, with their fixes. */
function findProblems(version: string): string[] {
  const problems: string[] = [];
  if (git('status', '--porcelain') !== '')
    problems.push('the checkout has uncommitted changes; commit or stash them');
  for (const path of published.map((folder) => `${folder}/package.json`)) {
    const other = readJson(path).version;
    if (other !== version) problems.push(`${path} has version ${other}; set it to ${version}`);
  }
  const changelog = readFileSync(`${checkout}/CHANGELOG.md`, 'utf8');
  if (!changelog.includes(`\n## ${version} `)) {
    problems.push(`CHANGELOG.md has no heading "## ${version} (date)"; add it`);
  }
  const locked: [string, { integrity?: string; inBundle?: true; link?: true }][] = Object.entries(
    readJson('package-lock.json').packages,
  );
  const unpinned = locked.filter(
    ([path, { integrity, inBundle, link }]) =>
      path.includes('node_modules/') && !integrity && !inBundle && !link,
  );
  if (unpinned.length > 0) {
    problems.push(
      `${unpinned.length} locked packages have no integrity; run npm run lockfile with a registry that has them`,
    );
  }
  const audit = spawnSync('npm', ['audit', '--audit-level=high'], { cwd: checkout });
  if (audit.status !== 0) problems.push('npm audit --audit-level=high failed; run it to see why');
  return problems;
}

/** Reports a directory that contains anything other than a release, because a build would remove it. */
function checkDirectory(directory: string): string[] {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  const isRelease = names.length === 0 || names.includes('SHA256SUMS');
  return isRelease ? [] : [`${directory} contains files other than a release; pass another directory`];
}

interface Component {
  readonly name: string;
  readonly 'bom-ref': string;
  readonly properties: readonly { readonly name: string }[];
}

/**
 * Returns the SBOM without packages for tests and tools. If a published package bundles another package, npm marks the
 * other one as a development dependency too, because users of the published package do not install it.
 */
function billOfMaterials(): unknown {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--omit=optional'];
  const bill = JSON.parse(execFileSync('npm', args, { cwd: checkout, encoding: 'utf8' }));
  const bundled = new Set(
    published.flatMap((folder) => Object.keys(readJson(`${folder}/package.json`).devDependencies ?? {})),
  );
  const isNeeded = ({ name, properties }: Component) =>
    (bundled.has(name) && !name.startsWith('@types/')) ||
    !properties.some((property) => property.name === 'cdx:npm:package:development');
  const components: Component[] = bill.components.filter(isNeeded);
  const kept = new Set([...components.map((item) => item['bom-ref']), bill.metadata.component['bom-ref']]);
  const edges: { readonly ref: string; readonly dependsOn: readonly string[] }[] = bill.dependencies;
  const dependencies = edges
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((item) => kept.has(item)) }));
  return { ...bill, components, dependencies };
}

/** Builds each artifact into a directory, in place of an earlier release. */
function makeFiles(directory: string, version: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const folder of published) {
    run('npm', 'run', 'build', '--workspace', folder);
    run('npm', 'pack', '--workspace', folder, '--pack-destination', directory);
  }
  run('node', 'packages/pages/src/build.ts', directory);
  writeFileSync(
    `${directory}/imprimatur-${version}.sbom.cdx.json`,
    JSON.stringify(billOfMaterials(), null, 2),
  );
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(`${directory}/${name}`))
      .digest('hex');
  const sums = readdirSync(directory).map((name) => `${hashOf(name)}  ${name}\n`);
  writeFileSync(`${directory}/SHA256SUMS`, sums.join(''));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { draft: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(help);
} else {
  const { version } = readJson('package.json');
  const directory = resolve(positionals[0] ?? `${checkout}/.local/release`);
  const directoryProblems = checkDirectory(directory);
  const problems = [...findProblems(version), ...directoryProblems];
  for (const problem of problems)
    console.error(`${values.draft ? 'not for a release' : 'refused'}: ${problem}`);
  if (problems.length === 0 || (values.draft && directoryProblems.length === 0)) {
    makeFiles(directory, version);
    console.log(`${readFileSync(`${directory}/SHA256SUMS`, 'utf8')}in ${directory}`);
  } else {
    process.exitCode = 1;
  }
}
