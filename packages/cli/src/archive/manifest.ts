import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Attestation } from 'imprimatur-client';
import { CommandError, UsageInvalidError } from '../errors.ts';
import { isObject, parseJson } from '../files/read-content.ts';

export interface ManifestEntry {
  /** Path relative to the manifest's folder, with `/` as the separator. */
  readonly file: string;
  readonly contentCid: string;
  readonly id: string;
  readonly status: Attestation['status'];
  readonly error?: string | undefined;
  /** Path of its proof file relative to the manifest's folder. */
  readonly proof?: string | undefined;
  /** IDs of the file's earlier attestations that are not yet linked to this one. */
  readonly corrects?: readonly string[] | undefined;
}

export interface ManifestScope {
  readonly chainId: number;
  readonly authorityAddress: string;
}

const writeError = (path: string, error: unknown) =>
  new CommandError(
    `cannot write ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}; nothing is lost: run the same command again to resume`,
  );

const statuses: readonly unknown[] = ['pending', 'committed', 'confirmed', 'failed'];

const isString = (value: unknown) => typeof value === 'string';

type Line = ManifestEntry & ManifestScope;

function isLine(value: unknown): value is Line {
  if (!isObject(value)) return false;
  const line: Partial<Record<keyof Line, unknown>> = value;
  const { error = '', proof = '', corrects = [] } = line;
  return (
    [line.file, line.contentCid, line.id, line.authorityAddress, error, proof].every(isString) &&
    statuses.includes(line.status) &&
    typeof line.chainId === 'number' &&
    Array.isArray(corrects) &&
    corrects.every(isString)
  );
}

/**
 * Reads a manifest. If an article has several lines, the last one counts.
 * @returns the entries, and the number of bytes in complete lines: a crash may have cut off the last line
 */
export async function readManifest(path: string, scope: ManifestScope) {
  const bytes = await readFile(path).catch(({ code }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') return Buffer.alloc(0);
    throw new UsageInvalidError(`cannot read ${path}: ${code}`);
  });
  const entries = new Map<string, ManifestEntry>();
  let [start, number] = [0, 1];
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    const line = parseJson(bytes.toString('utf8', start, end));
    if (!isLine(line)) throw new UsageInvalidError(`line ${number} of ${path} is not a valid manifest line`);
    checkScope(path, line, scope);
    const { chainId: _, authorityAddress: __, ...entry } = line;
    entries.set(entry.file, entry);
    [start, number] = [end + 1, number + 1];
  }
  return { entries, completeBytes: start };
}

function checkScope(path: string, line: Line, { chainId, authorityAddress }: ManifestScope): void {
  if (line.chainId === chainId && line.authorityAddress === authorityAddress) return;
  throw new UsageInvalidError(
    `${path} is for chain ${line.chainId} and ${line.authorityAddress}, but this run is for chain ${chainId} and ${authorityAddress}; pass another --manifest`,
  );
}

const withWriteError = <Answer>(path: string, write: () => Promise<Answer>): Promise<Answer> =>
  write().catch((error: unknown) => {
    throw writeError(path, error);
  });

export type Manifest = Awaited<ReturnType<typeof openManifest>>;

/**
 * Opens the manifest of a run. Each change of an entry is one line, written before anything relies on it. After a
 * crash, the next run may repeat requests. At the end, the manifest is rewritten with one line per file, sorted by
 * name.
 */
export async function openManifest(path: string, scope: ManifestScope) {
  const { entries, completeBytes } = await readManifest(path, scope);
  const file = await withWriteError(path, async () => {
    const opened = await open(path, 'a');
    // Otherwise the next line would be appended to an incomplete one.
    await opened.truncate(completeBytes);
    return opened;
  });
  let [unwrittenLines, lastWrite] = ['', Promise.resolve()];
  const lineOf = ({ file, contentCid, id, status, ...optional }: ManifestEntry) =>
    `${JSON.stringify({ file, contentCid, id, status, ...optional, ...scope })}\n`;
  const flush = () =>
    withWriteError(path, async () => {
      const text = unwrittenLines;
      if (text === '') return;
      unwrittenLines = '';
      await file.appendFile(text);
      await file.datasync();
    });
  return {
    entries: entries as ReadonlyMap<string, ManifestEntry>,
    /** Resolves when the entries are on disk. */
    async put(added: readonly ManifestEntry[]): Promise<void> {
      for (const entry of added) entries.set(entry.file, entry);
      unwrittenLines += added.map(lineOf).join('');
      // `flush` writes the entries of concurrent calls together.
      lastWrite = lastWrite.then(flush);
      await lastWrite;
    },
    async close(): Promise<void> {
      await lastWrite.catch(() => {});
      await file.close();
      if (entries.size === 0) return rm(path, { force: true });
      const sorted = [...entries.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
      await withWriteError(path, async () => {
        await writeFile(`${path}.new`, sorted.map(lineOf), { flush: true });
        await rename(`${path}.new`, path);
      });
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function createLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw writeError(path, error);
  }
}

async function readLockHolder(path: string): Promise<{ readonly pid?: number; readonly host?: string }> {
  const value = parseJson(await readFile(path, 'utf8').catch(() => ''));
  return isObject(value) ? value : {};
}

/**
 * Locks a manifest for one run with a file beside it. Removes the lock of a killed run on this machine. If two runs
 * take over such a lock at the same time, both continue, which only repeats requests.
 * @returns a function that releases the lock. @throws UsageInvalidError
 */
export async function lockManifest(manifestPath: string): Promise<() => Promise<void>> {
  const path = `${manifestPath}.running`;
  while (!(await createLock(path))) {
    const { pid, host } = await readLockHolder(path);
    if (pid === undefined || host !== hostname() || isRunning(pid)) {
      const holder = pid === undefined ? 'another run' : `process ${pid} on ${host}`;
      throw new UsageInvalidError(
        `${holder} is using ${manifestPath}; if it is not running, remove ${path} and run the command again`,
      );
    }
    await rm(path, { force: true });
  }
  return () => rm(path, { force: true });
}
