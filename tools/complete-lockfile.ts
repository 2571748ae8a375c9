import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { checkout } from '../local/checkout.ts';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly inBundle?: true;
  readonly link?: true;
  readonly dev?: true;
  readonly optional?: boolean;
  readonly engines?: object;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const path = `${checkout}/package-lock.json`;

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm64', 'x64', 'amd64', 'ia32', 'ppc64', 'riscv64', 's390x', 'arm'];

/** Returns the platform in the name of a platform package, such as `@scope/tool-linux-arm64-musl`. */
function platformOf(name: string) {
  const parts = name.split(/[-/]/);
  const os = systems.filter((system) => parts.includes(system));
  const cpu = processors
    .filter((processor) => parts.includes(processor))
    .map((processor) => (processor === 'amd64' ? 'x64' : processor));
  const libc = parts.includes('musl') ? ['musl'] : parts.includes('gnu') ? ['glibc'] : [];
  return { os, cpu, ...(libc.length > 0 ? { libc } : {}) };
}

/**
 * Adds the platform packages that the lockfile lacks. npm leaves one out when the registry it uses does not have it,
 * and then refuses to install from that lockfile, on any platform.
 */
function complete(packages: Record<string, LockedPackage>): Record<string, LockedPackage> {
  const completed = { ...packages };
  for (const [key, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (packages[`node_modules/${name}`]?.version || packages[`${key}/node_modules/${name}`]?.version)
        continue;
      const entry = { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true };
      completed[`node_modules/${name}`] = entry;
    }
  }
  const sorted = Object.entries(completed).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(withoutEngines));
}

/**
 * Removes the Node version that an optional development package requires. npm would skip the package if npm's own Node is
 * older. But the package runs on the Node that is one of this project's optional dependencies.
 */
function withoutEngines([path, locked]: [string, LockedPackage]): [string, LockedPackage] {
  const { engines: _, ...rest } = locked;
  return [path, locked.dev && locked.optional ? rest : locked];
}

/** Hash of a package's archive in the registry; undefined if the registry does not have it. */
async function integrityOf(name: string, version: string): Promise<string | undefined> {
  const view = ['view', `${name}@${version}`, 'dist.integrity'];
  const { stdout } = await promisify(execFile)('npm', view, { cwd: checkout }).catch(() => ({ stdout: '' }));
  return stdout.trim() || undefined;
}

async function pin([key, locked]: [string, LockedPackage]): Promise<[string, LockedPackage]> {
  const { version, integrity, inBundle, link } = locked;
  if (!key.includes('node_modules/') || integrity || inBundle || link || !version) return [key, locked];
  const hash = await integrityOf(
    key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
  );
  if (!hash) unpinned.push(key);
  return [key, hash ? { version, integrity: hash, ...locked } : locked];
}

const unpinned: string[] = [];
const lockfile = JSON.parse(readFileSync(path, 'utf8'));
const completed = complete(lockfile.packages);
const packages = Object.fromEntries(await Promise.all(Object.entries(completed).map(pin)));
const added = Object.keys(packages).length - Object.keys(lockfile.packages).length;
writeFileSync(path, `${JSON.stringify({ ...lockfile, packages }, null, 2)}\n`);
console.log(`package-lock.json: ${added} platform packages added`);
if (unpinned.length > 0)
  console.log(
    `${unpinned.length} packages of other platforms have no integrity, because this registry does not have them. Before a release, run this again with a registry that has them.\n${unpinned.join('\n')}`,
  );
