import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { UsageInvalidError } from '../errors.ts';
import { isObject, parseJson } from '../files/read-content.ts';
import { unwritten } from './manifest.ts';

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unwritten(path, error);
  }
}

async function holderOf(path: string): Promise<{ readonly pid?: number; readonly host?: string }> {
  const value = parseJson(await readFile(path, 'utf8').catch(() => ''));
  return isObject(value) ? value : {};
}

/**
 * Takes a manifest for one run at a time, by a file beside it. One that a killed run left behind on this machine is removed.
 * Two runs that take over at the same moment would both go on: they would only ask twice for what is attested once.
 *
 * @returns what gives it back. @throws UsageInvalidError
 */
export async function lockManifest(manifestPath: string): Promise<() => Promise<void>> {
  const path = `${manifestPath}.running`;
  while (!(await take(path))) {
    const { pid, host } = await holderOf(path);
    if (pid === undefined || host !== hostname() || runs(pid)) {
      const who = pid === undefined ? 'another run' : `the process ${pid} on ${host}`;
      throw new UsageInvalidError(
        `${who} is at work with ${manifestPath}; if it is not, remove ${path} and run the command again`,
      );
    }
    await rm(path, { force: true });
  }
  return () => rm(path, { force: true });
}
