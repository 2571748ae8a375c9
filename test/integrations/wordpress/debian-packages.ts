import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const local = fileURLToPath(new URL('../../../.local', import.meta.url));

/** Programs with their dependencies, and WordPress without them. */
const programs = ['php-cli', 'php-mysql', 'php-mbstring', 'php-xml', 'mariadb-server-core'];
const files = ['wordpress', 'php-getid3', 'wordpress-theme-twentytwentyone'];

/** PHP extensions in loading order. */
const extensions =
  'ctype tokenizer iconv mbstring mysqlnd mysqli dom simplexml xml xmlreader xmlwriter posix fileinfo';

const apt = (cwd: string, ...args: string[]) =>
  execFileSync('apt-get', args, { cwd, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });

/** Returns the packages of a dry run that are missing on this machine. */
const missingPackages = (dryRun: string) =>
  [...dryRun.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);

/** Unpacks Debian packages into a folder, without root and without changes to the machine. */
function unpack(root: string): void {
  const draft = `${root}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    const needed = missingPackages(
      apt(draft, 'install', '--simulate', '--no-install-recommends', ...programs),
    );
    apt(draft, 'download', ...needed, ...files);
    for (const file of globSync(`${draft}/*.deb`)) {
      execFileSync('dpkg-deb', ['--extract', file, draft]);
      rmSync(file);
    }
    renameSync(draft, root);
  } catch (cause) {
    throw new Error('this needs apt-get of Debian or Ubuntu. If its lists are old, run apt-get update', {
      cause,
    });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Finds the unpacked program, or else the machine's. */
function findPath(root: string, pattern: string): string {
  const [path] = [...globSync(`${root}${pattern}`), ...globSync(pattern)];
  if (path === undefined) throw new Error(`there is no ${pattern}`);
  return path;
}

/** Returns the programs, and their environment. */
export function debianPackages() {
  const root = `${local}/wordpress`;
  if (!existsSync(root)) unpack(root);
  const usr = existsSync(`${root}/usr/share/mysql`) ? `${root}/usr` : '/usr';
  const ini = `${root}/php.ini`;
  const libraries = readdirSync(`${root}/usr/lib`).filter((name) => name.endsWith('-linux-gnu'));
  writeFileSync(
    ini,
    [
      'display_errors=stderr',
      `extension_dir=${findPath(root, '/usr/lib/php/2*')}`,
      ...extensions.split(' ').map((name) => `extension=${name}`),
    ].join('\n'),
  );
  return {
    php: [findPath(root, '/usr/bin/php[0-9]*'), '-c', ini] as const,
    mariadb: [
      findPath(root, '/usr/sbin/mariadbd'),
      '--no-defaults',
      `--lc-messages-dir=${usr}/share/mysql`,
      `--character-sets-dir=${usr}/share/mysql/charsets`,
    ] as const,
    wordpress: `${root}/usr/share/wordpress`,
    env: {
      PATH: process.env.PATH ?? '',
      PHP_INI_SCAN_DIR: '',
      LD_LIBRARY_PATH: libraries.map((name) => `${root}/usr/lib/${name}`).join(':'),
    },
  };
}
