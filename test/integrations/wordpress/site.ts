import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../local/process/free-port.ts';
import { debianPackages } from './debian-packages.ts';

const plugin = fileURLToPath(new URL('../../../integrations/wordpress/imprimatur', import.meta.url));

const configuration = (directory: string, origin: string) => `<?php
define('DB_NAME', 'wp'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${directory}/sql'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
  define($name . '_KEY', "k$name"); define($name . '_SALT', "s$name");
}
$table_prefix = 'wp_';
define('WP_HOME', '${origin}'); define('WP_SITEURL', '${origin}');
// Writes warnings to a file, so that deprecations in WordPress itself do not appear in the output.
define('WP_DEBUG', true); define('WP_DEBUG_DISPLAY', false); define('WP_DEBUG_LOG', '${directory}/debug.log');
define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true);
require_once ABSPATH . 'wp-settings.php';
`;

/** Runs code from stdin in WordPress and prints its result. */
const runner = `<?php
$_SERVER['HTTP_HOST'] = parse_url($argv[2], PHP_URL_HOST); $_SERVER['REQUEST_URI'] = '/';
if (($argv[3] ?? '') === 'install') define('WP_INSTALLING', true);
require $argv[1] . '/wp-load.php';
$result = eval(stream_get_contents(STDIN));
echo "\\n--result--", json_encode($result);
`;

export interface Site {
  readonly origin: string;
  readonly directory: string;
  readonly www: string;
  /** Runs PHP in WordPress and returns its result. */
  php(code: string, mode?: 'install'): Promise<unknown>;
  /** Runs the due events, like the system's cron with `php wp-cron.php`. */
  cron(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts WordPress with the plugin, MariaDB and PHP's web server, in a temporary directory. */
export async function startSite(): Promise<Site> {
  const { php, mariadb, wordpress, env } = debianPackages();
  const directory = mkdtempSync(join(tmpdir(), 'wp-'));
  const www = `${directory}/www`;
  const origin = `http://127.0.0.1:${await freePort(undefined, '')}`;
  mkdirSync(`${directory}/data`);
  // Skips links to other packages that the test does not need.
  cpSync(wordpress, www, { recursive: true, dereference: true, filter: (path) => existsSync(path) });
  symlinkSync(plugin, `${www}/wp-content/plugins/imprimatur`);
  writeFileSync(`${www}/wp-config.php`, configuration(directory, origin));
  writeFileSync(`${directory}/run.php`, runner);

  const [server, ...serverArgs] = mariadb;
  const sql = spawn(
    server,
    [
      ...serverArgs,
      ...['--skip-grant-tables', '--skip-networking', '--user=root', '--innodb-stats-persistent=0'],
      ...['--innodb-buffer-pool-size=16M', '--innodb-flush-log-at-trx-commit=0'],
      ...[`--datadir=${directory}/data`, `--socket=${directory}/sql`, `--pid-file=${directory}/pid`],
    ],
    { env, stdio: 'ignore' },
  );
  const [command, ...phpArgs] = php;
  const http = spawn(command, [...phpArgs, '-S', new URL(origin).host, '-t', www], {
    env: { ...env, PHP_CLI_SERVER_WORKERS: '3' },
    stdio: 'ignore',
    // The server and its workers form a process group.
    detached: true,
  });
  const log = `${directory}/debug.log`;
  const lastWarnings = () => (existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : '');
  const run = (args: readonly string[], input = '') =>
    new Promise<string>((resolve, reject) => {
      const child = execFile(command, [...phpArgs, ...args], { env, cwd: www }, (error, out, errors) =>
        error ? reject(new Error(`${out.slice(-300)}${errors}${lastWarnings()}`)) : resolve(out),
      );
      child.stdin?.end(input);
    });
  const site: Site = {
    ...{ origin, directory, www },
    php: async (code, mode) => {
      const out = await run([`${directory}/run.php`, www, origin, ...(mode ? [mode] : [])], code);
      return JSON.parse(out.split('--result--').at(-1) || 'null');
    },
    cron: async () => void (await run([`${www}/wp-cron.php`])),
    stop: async () => {
      process.kill(-Number(http.pid), 'SIGTERM');
      sql.kill('SIGTERM');
      await once(sql, 'exit');
      rmSync(directory, { recursive: true, force: true });
    },
  };
  try {
    await waitForDatabase(run, directory);
    await site.php(installation, 'install');
    await site.php("$GLOBALS['wp_rewrite']->set_permalink_structure('/%postname%/'); flush_rewrite_rules();");
    return site;
  } catch (error) {
    await site.stop();
    throw error;
  }
}

async function waitForDatabase(run: (args: readonly string[]) => Promise<string>, directory: string) {
  const code = `$m = mysqli_init(); $m->real_connect('localhost', 'root', '', '', 0, '${directory}/sql'); $m->query('CREATE DATABASE wp');`;
  for (let tries = 1; ; tries++) {
    try {
      return await run(['-r', code]);
    } catch (error) {
      if (tries === 60) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

const installation = `
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
wp_install('Site', 'admin', 'a@example.org', true, '', 'pw-admin');
return activate_plugin('imprimatur/imprimatur.php');
`;
