import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BrowserServer, chromium } from 'playwright-core';
import { checkout } from '../../local/checkout.ts';

/** Returns the directory with the packaged Chromium, which is unpacked once for each checkout. */
function unpackedChromium(): string {
  const { devDependencies } = JSON.parse(readFileSync(`${checkout}/package.json`, 'utf8'));
  const version: string = devDependencies['@sparticuz/chromium'];
  const path = `${checkout}/.local/chromium-${version}`;
  if (existsSync(path)) return path;
  // Unpacked into another folder and then renamed, so that an interrupted start leaves nothing at `path`.
  const draft = `${path}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const program = fileURLToPath(new URL('unpack-chromium.ts', import.meta.url));
  // Only in Lambda does the package unpack the libraries that a machine without a desktop lacks.
  const env = { PATH: process.env.PATH, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  try {
    execFileSync(process.execPath, [program], { env, stdio: ['ignore', 'inherit', 'inherit'] });
    writeFileSync(`${draft}/fonts.conf`, fontConfiguration(path));
    renameSync(draft, path);
  } catch (error) {
    // Another process has just unpacked it.
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return path;
}

/** The package's own configuration names directories of Lambda. Without fonts, the browser exits at the first word. */
function fontConfiguration(path: string): string {
  return `<?xml version="1.0"?>
<fontconfig><dir>${path}/fonts/fonts</dir><cachedir>${path}/fonts-cache</cachedir></fontconfig>
`;
}

/** Turns off Playwright's signal handlers, which end the process before the stack has stopped. */
const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

/** Whether the npm package has a Chromium for this platform. */
export const hasPackagedChromium = process.platform === 'linux' && process.arch === 'x64';

/** Starts a headless Chromium: the packaged one, or else the Chrome that is installed. */
export function startChromium(): Promise<BrowserServer> {
  if (!hasPackagedChromium) return chromium.launchServer({ channel: 'chrome', ...signals });
  const path = unpackedChromium();
  return chromium.launchServer({
    ...signals,
    executablePath: `${path}/chromium`,
    // Chromium's sandbox does not work as root, as in most CI. The pages are the service's own.
    args: ['--no-sandbox', '--disable-gpu'],
    env: { ...process.env, LD_LIBRARY_PATH: `${path}/al2023/lib`, FONTCONFIG_FILE: `${path}/fonts.conf` },
  });
}
