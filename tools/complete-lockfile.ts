import { readFileSync, writeFileSync } from 'node:fs';
import { checkout } from '../local/checkout.ts';

interface LockedPackage {
  readonly version?: string;
  readonly dev?: true;
  readonly optional?: boolean;
  readonly engines?: object;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const path = `${checkout}/package-lock.json`;

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm64', 'x64', 'amd64', 'ia32', 'ppc64', 'riscv64', 's390x', 'arm'];

/** Platform of a platform package, as its name gives it: `@scope/tool-linux-arm64-musl`. */
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
 * and then refuses to install from that lockfile, on any platform. They get no integrity, because their contents were
 * never available here.
 */
function complete(packages: Record<string, LockedPackage>): Record<string, LockedPackage> {
  const completed = { ...packages };
  for (const [at, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (packages[`node_modules/${name}`]?.version || packages[`${at}/node_modules/${name}`]?.version)
        continue;
      const entry = { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true };
      completed[`node_modules/${name}`] = entry;
    }
  }
  const sorted = Object.entries(completed).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(withoutEngines));
}

/**
 * Leaves out which Node an optional package of tests and tools asks for. npm skips such a package when the Node that
 * installs is older, but it runs on the Node that is installed.
 */
function withoutEngines([path, locked]: [string, LockedPackage]): [string, LockedPackage] {
  const { engines: _, ...rest } = locked;
  return [path, locked.dev && locked.optional ? rest : locked];
}

const lockfile = JSON.parse(readFileSync(path, 'utf8'));
const packages = complete(lockfile.packages);
const added = Object.keys(packages).length - Object.keys(lockfile.packages).length;
writeFileSync(path, `${JSON.stringify({ ...lockfile, packages }, null, 2)}\n`);
console.log(`package-lock.json: ${added} platform packages added`);
