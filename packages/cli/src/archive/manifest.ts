import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import type { Attestation } from 'imprimatur-client';
import { CommandError, UsageInvalidError } from '../errors.ts';
import { isObject, parseJson } from '../files/read-content.ts';

export interface ManifestEntry {
  /** Path from the manifest's folder, with `/` between names. */
  readonly file: string;
  readonly contentCid: string;
  readonly id: string;
  readonly status: Attestation['status'];
  readonly error?: string | undefined;
  /** Path of its proof file, from the manifest's folder. */
  readonly proof?: string | undefined;
  /** Ids of what the file was attested as before, as far as they are not linked to this one. */
  readonly corrects?: readonly string[] | undefined;
}

/** Where, and in whose name, all of a manifest's files are attested. */
export interface ManifestSubject {
  readonly chainId: number;
  readonly authorityAddress: string;
}

export const unwritten = (path: string, cause: unknown) =>
  new CommandError(
    `cannot write ${path}: ${(cause as NodeJS.ErrnoException).code ?? 'unknown'}; nothing is lost, the same command goes on`,
    { cause },
  );

const statuses: readonly unknown[] = ['pending', 'committed', 'confirmed', 'failed'];

const isText = (value: unknown) => typeof value === 'string';

type Line = ManifestEntry & ManifestSubject;

function isLine(value: unknown): value is Line {
  if (!isObject(value)) return false;
  const line: Partial<Record<keyof Line, unknown>> = value;
  const { error = '', proof = '', corrects = [] } = line;
  return (
    [line.file, line.contentCid, line.id, line.authorityAddress, error, proof].every(isText) &&
    statuses.includes(line.status) &&
    typeof line.chainId === 'number' &&
    Array.isArray(corrects) &&
    corrects.every(isText)
  );
}

/**
 * Reads a manifest, of which the last line of a file counts.
 * @returns the bytes of whole lines, too: what stands behind was cut off by a crash
 */
export async function readManifest(path: string, subject: ManifestSubject) {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return Buffer.alloc(0);
    throw new UsageInvalidError(`cannot read ${path}: ${cause.code}`, { cause });
  });
  const entries = new Map<string, ManifestEntry>();
  let [start, number] = [0, 1];
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    const line = parseJson(bytes.toString('utf8', start, end));
    if (!isLine(line)) throw new UsageInvalidError(`line ${number} of ${path} is no line of a manifest`);
    checkSubject(path, line, subject);
    const { chainId: _, authorityAddress: __, ...entry } = line;
    entries.set(entry.file, entry);
    [start, number] = [end + 1, number + 1];
  }
  return { entries, soundBytes: start };
}

function checkSubject(path: string, line: Line, { chainId, authorityAddress }: ManifestSubject): void {
  if (line.chainId === chainId && line.authorityAddress === authorityAddress) return;
  throw new UsageInvalidError(
    `${path} is of chain ${line.chainId} and ${line.authorityAddress}, this run of chain ${chainId} and ${authorityAddress}: name another manifest with --manifest`,
  );
}

/**
 * The manifest of a run: a line for each change of a file, in the file before anything relies on it. A crash cuts off one
 * line at most. In the end it is written again, a line a file, in the order of the names.
 */
export class Manifest {
  readonly #path: string;
  readonly #subject: ManifestSubject;
  readonly #entries: Map<string, ManifestEntry>;
  readonly #file: FileHandle;
  #unwritten = '';
  #written: Promise<void> = Promise.resolve();

  private constructor(
    path: string,
    subject: ManifestSubject,
    entries: Map<string, ManifestEntry>,
    file: FileHandle,
  ) {
    this.#path = path;
    this.#subject = subject;
    this.#entries = entries;
    this.#file = file;
  }

  static async open(path: string, subject: ManifestSubject): Promise<Manifest> {
    const { entries, soundBytes } = await readManifest(path, subject);
    try {
      const file = await open(path, 'a');
      // The next line would stand behind half of another.
      await file.truncate(soundBytes);
      return new Manifest(path, subject, entries, file);
    } catch (cause) {
      throw unwritten(path, cause);
    }
  }

  get entries(): ReadonlyMap<string, ManifestEntry> {
    return this.#entries;
  }

  /** Resolves when the entries are on the disk. */
  async put(entries: readonly ManifestEntry[]): Promise<void> {
    for (const entry of entries) {
      this.#entries.set(entry.file, entry);
      this.#unwritten += this.#lineOf(entry);
    }
    // What several put at once goes to the disk together.
    this.#written = this.#written.then(() => this.#flush());
    await this.#written;
  }

  /** Writes the manifest again, in order, and ends the work with it. */
  async close(): Promise<void> {
    await this.#written.catch(() => {});
    await this.#file.close();
    if (this.#entries.size === 0) return rm(this.#path, { force: true });
    const beside = `${this.#path}.new`;
    const sorted = [...this.#entries.values()].sort((one, other) => (one.file < other.file ? -1 : 1));
    try {
      const file = await open(beside, 'w');
      await file.writeFile(sorted.map((entry) => this.#lineOf(entry)));
      await file.sync();
      await file.close();
      await rename(beside, this.#path);
    } catch (cause) {
      throw unwritten(this.#path, cause);
    }
  }

  async #flush(): Promise<void> {
    const text = this.#unwritten;
    if (text === '') return;
    this.#unwritten = '';
    try {
      await this.#file.appendFile(text);
      await this.#file.datasync();
    } catch (cause) {
      throw unwritten(this.#path, cause);
    }
  }

  #lineOf({ file, contentCid, id, status, ...more }: ManifestEntry): string {
    return `${JSON.stringify({ file, contentCid, id, status, ...more, ...this.#subject })}\n`;
  }
}
