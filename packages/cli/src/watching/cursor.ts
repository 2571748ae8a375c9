import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import type { Address, AuthorityEvent, Hex } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import { isObject, readJsonObject, writeText } from '../files/read-content.ts';

export interface Subject {
  readonly chainId: number;
  readonly authority: Address;
  /** The registries that are watched; every one that is known here without it. */
  readonly registries: readonly Address[] | undefined;
}

/** How far a watch is: everything up to a final block was told, and some of what came after it. */
export interface Cursor {
  readonly block: { readonly number: number; readonly hash: Hex };
  /** Events that were told and are not final yet. */
  readonly unfinal: readonly AuthorityEvent[];
}

export interface KeptWatch {
  readonly cursor: Cursor;
  /** The only registries of which all is told up to the cursor. */
  readonly registries: readonly Address[] | undefined;
  /** Events that may be the service's own. */
  readonly undecided: readonly AuthorityEvent[];
  /** Keys of the events that are not final and were not told, for they are the service's. */
  readonly silent: readonly string[];
}

const isTexts = (value: unknown): value is Address[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isPlace = (value: unknown): value is Cursor['block'] =>
  isObject(value) && Number.isSafeInteger(value.number) && typeof value.hash === 'string';

/** Whether these are events as this program writes them, as far as a watch goes by what is in them. */
const isEvents = (value: unknown): value is AuthorityEvent[] =>
  Array.isArray(value) &&
  value.every((one) => isObject(one) && isPlace(one.block) && typeof one.logIndex === 'number' && one.kind);

async function readKept(path: string, { chainId, authority }: Subject): Promise<KeptWatch> {
  const file = await readJsonObject(path);
  const { version, block, unfinal, registries, undecided = [], silent = [] } = file;
  const isKept = isEvents(unfinal) && isEvents(undecided) && isTexts(silent);
  if (version !== 1 || !isPlace(block) || !isKept || !(registries === undefined || isTexts(registries)))
    throw new UsageInvalidError(`${path} is not a cursor file`);
  if (file.chainId !== chainId || String(file.authority).toLowerCase() !== authority.toLowerCase())
    throw new UsageInvalidError(`${path} belongs to another watch: its chain or authority differs`);
  return { cursor: { block, unfinal }, registries, undecided, silent };
}

export type CursorFile = ReturnType<typeof cursorFile>;

/** The file in which one watch, and no other at the same time, keeps its place. */
export function cursorFile(path: string, subject: Subject) {
  const textNow = async () => (existsSync(path) ? readFile(path, 'utf8') : undefined);
  /** What it held when this watch read or wrote it. */
  let known: string | undefined;
  return {
    /** What is kept; `undefined` where there is no file yet. @throws UsageInvalidError */
    async read(): Promise<KeptWatch | undefined> {
      if (!existsSync(path)) return undefined;
      const kept = await readKept(path, subject);
      known = await textNow();
      return kept;
    },
    /** Writes so that a crash leaves the former place or this. @throws UsageInvalidError, also where another watch has written */
    async write({ cursor, undecided, silent }: Omit<KeptWatch, 'registries'>): Promise<void> {
      const file = { version: 1, ...subject, ...cursor, undecided, silent };
      const text = `${JSON.stringify(file, undefined, 1)}\n`;
      const beside = `${path}.${randomUUID()}.new`;
      try {
        await writeText(beside, text);
        // Either's place may be behind the other's, and what one has told the other would tell again.
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
