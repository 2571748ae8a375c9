import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import type { Address, AuthorityEvent, Hex } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import { isObject, readJsonObject, writeText } from '../files/read-content.ts';

export interface WatchTarget {
  readonly chainId: number;
  readonly authority: Address;
  /** Registries to watch; `undefined`: all registries whose code is known. */
  readonly registries: readonly Address[] | undefined;
}

/** Progress of a watch. The watch has reported all events up to a final block, and some later ones. */
export interface Cursor {
  readonly block: { readonly number: number; readonly hash: Hex };
  /** Reported events that are not final yet. */
  readonly provisional: readonly AuthorityEvent[];
}

export interface StoredWatch {
  readonly cursor: Cursor;
  /** The registries watched up to the cursor; `undefined`: all registries whose code is known. */
  readonly registries: readonly Address[] | undefined;
  /** Events that the service may have caused, so they are not reported yet. */
  readonly undecided: readonly AuthorityEvent[];
  /** Keys of provisional events that are not reported, because the service caused them. */
  readonly unreported: readonly string[];
}

const isStrings = (value: unknown): value is Address[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isBlock = (value: unknown): value is Cursor['block'] =>
  isObject(value) && Number.isSafeInteger(value.number) && typeof value.hash === 'string';

/** Checks only the fields that a watch uses. */
const isEventList = (value: unknown): value is AuthorityEvent[] =>
  Array.isArray(value) &&
  value.every(
    (item) => isObject(item) && isBlock(item.block) && typeof item.logIndex === 'number' && item.kind,
  );

async function readStored(path: string, { chainId, authority }: WatchTarget): Promise<StoredWatch> {
  const file = await readJsonObject(path);
  const { version, block, provisional, registries, undecided = [], unreported = [] } = file;
  const isStored = isEventList(provisional) && isEventList(undecided) && isStrings(unreported);
  if (version !== 1 || !isBlock(block) || !isStored || !(registries === undefined || isStrings(registries)))
    throw new UsageInvalidError(`${path} is not a cursor file`);
  if (file.chainId !== chainId || String(file.authority).toLowerCase() !== authority.toLowerCase())
    throw new UsageInvalidError(`${path} belongs to another watch: its chain or authority differs`);
  return { cursor: { block, provisional }, registries, undecided, unreported };
}

export type CursorFile = ReturnType<typeof cursorFile>;

/** A file that stores the progress of one watch. Two watches must not use it at the same time. */
export function cursorFile(path: string, target: WatchTarget) {
  const readText = async () => (existsSync(path) ? readFile(path, 'utf8') : undefined);
  /** The file's text when this watch last read or wrote it. */
  let lastText: string | undefined;
  return {
    /** Reads the stored progress; `undefined` if there is no file. @throws UsageInvalidError */
    async read(): Promise<StoredWatch | undefined> {
      if (!existsSync(path)) return undefined;
      const stored = await readStored(path, target);
      lastText = await readText();
      return stored;
    },
    /** Replaces the file atomically. @throws UsageInvalidError if another watch has written the file */
    async write({ cursor, undecided, unreported }: Omit<StoredWatch, 'registries'>): Promise<void> {
      const file = { version: 1, ...target, ...cursor, undecided, unreported };
      const text = `${JSON.stringify(file, undefined, 1)}\n`;
      const temporaryPath = `${path}.${randomUUID()}.new`;
      try {
        await writeText(temporaryPath, text);
        // If two watches share a file, the slower one could move the position back, and events would be reported twice.
        if (![undefined, lastText, text].includes(await readText()))
          throw new UsageInvalidError(`another watch uses ${path}; stop it, or pass another --cursor`);
        await rename(temporaryPath, path);
        lastText = text;
      } finally {
        await rm(temporaryPath, { force: true });
      }
    },
  };
}
