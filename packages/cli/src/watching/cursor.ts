import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import type { Address, AuthorityEvent, Hex } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import { isObject, readJsonObject, writeText } from '../files/read-content.ts';

export interface Subject {
  readonly chainId: number;
  readonly authority: Address;
  /** The only registries to watch; all known registries by default. */
  readonly registries: readonly Address[] | undefined;
}

/** Progress of a watch: everything up to a final block was reported, and some later events. */
export interface Cursor {
  readonly block: { readonly number: number; readonly hash: Hex };
  /** Reported events that are not final yet. */
  readonly unfinal: readonly AuthorityEvent[];
}

export interface StoredWatch {
  readonly cursor: Cursor;
  /** The registries that were watched up to the cursor; all if undefined. */
  readonly registries: readonly Address[] | undefined;
  /** Events that the service may have caused. */
  readonly undecided: readonly AuthorityEvent[];
  /** Keys of events that are not final and were not reported, because the service caused them. */
  readonly unreported: readonly string[];
}

const isTexts = (value: unknown): value is Address[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isPlace = (value: unknown): value is Cursor['block'] =>
  isObject(value) && Number.isSafeInteger(value.number) && typeof value.hash === 'string';

/** Checks only the fields that a watch uses. */
const isEvents = (value: unknown): value is AuthorityEvent[] =>
  Array.isArray(value) &&
  value.every((one) => isObject(one) && isPlace(one.block) && typeof one.logIndex === 'number' && one.kind);

async function readStored(path: string, { chainId, authority }: Subject): Promise<StoredWatch> {
  const file = await readJsonObject(path);
  const { version, block, unfinal, registries, undecided = [], unreported = [] } = file;
  const isStored = isEvents(unfinal) && isEvents(undecided) && isTexts(unreported);
  if (version !== 1 || !isPlace(block) || !isStored || !(registries === undefined || isTexts(registries)))
    throw new UsageInvalidError(`${path} is not a cursor file`);
  if (file.chainId !== chainId || String(file.authority).toLowerCase() !== authority.toLowerCase())
    throw new UsageInvalidError(`${path} belongs to another watch: its chain or authority differs`);
  return { cursor: { block, unfinal }, registries, undecided, unreported };
}

export type CursorFile = ReturnType<typeof cursorFile>;

/** A file that stores the progress of one watch. Two watches must not use it at the same time. */
export function cursorFile(path: string, subject: Subject) {
  const textNow = async () => (existsSync(path) ? readFile(path, 'utf8') : undefined);
  /** Its content when this watch last read or wrote it. */
  let known: string | undefined;
  return {
    /** The stored progress; `undefined` without a file. @throws UsageInvalidError */
    async read(): Promise<StoredWatch | undefined> {
      if (!existsSync(path)) return undefined;
      const stored = await readStored(path, subject);
      known = await textNow();
      return stored;
    },
    /** Writes atomically. @throws UsageInvalidError, also if another watch has written the file */
    async write({ cursor, undecided, unreported }: Omit<StoredWatch, 'registries'>): Promise<void> {
      const file = { version: 1, ...subject, ...cursor, undecided, unreported };
      const text = `${JSON.stringify(file, undefined, 1)}\n`;
      const beside = `${path}.${randomUUID()}.new`;
      try {
        await writeText(beside, text);
        // With two watches, one could store an earlier position than the other, and events would be reported twice.
        if (![undefined, known, text].includes(await textNow()))
          throw new UsageInvalidError(`another watch uses ${path}; stop it, or pass another --cursor`);
        await rename(beside, path);
        known = text;
      } finally {
        await rm(beside, { force: true });
      }
    },
  };
}
