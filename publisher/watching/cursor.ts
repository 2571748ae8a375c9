import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { Address, AuthorityEvent, Hex } from '../../verifier/verifier.ts';
import { UsageInvalidError } from '../errors.ts';
import { readJsonObject } from '../files/read-json-object.ts';
import { writeText } from '../files/write-text.ts';

/** What is watched. */
export interface Subject {
  readonly chainId: number;
  readonly authority: Address;
  readonly registries: readonly Address[];
}

/** How far a watch is: everything up to a final block was told, and some of what came after it. */
export interface Cursor {
  readonly block: { readonly number: number; readonly hash: Hex };
  /** Events that were told and are not final yet. */
  readonly unfinal: readonly AuthorityEvent[];
}

/** The watched things, and nothing else of what a file holds. */
function subjectIn({ chainId, authority, registries }: Readonly<Record<string, unknown>>): string {
  return nameOf({
    chainId: Number(chainId),
    authority: String(authority) as Address,
    registries: Array.isArray(registries) ? registries : [],
  });
}

const nameOf = ({ chainId, authority, registries }: Subject) =>
  [chainId, authority, ...[...registries].sort()].join(' ').toLowerCase();

/** Whether these are events as this program writes them, as far as a watch goes by what is in them. */
function isEvents(value: unknown): value is AuthorityEvent[] {
  const isEvent = ({ block, logIndex, kind }: Partial<AuthorityEvent>) =>
    typeof block?.number === 'number' &&
    typeof block.hash === 'string' &&
    typeof logIndex === 'number' &&
    !!kind;
  return (
    Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null && isEvent(one))
  );
}

/** Reads the cursor of a watch; `undefined` where there is no file yet. @throws UsageInvalidError */
export async function readCursor(path: string, subject: Subject): Promise<Cursor | undefined> {
  if (!existsSync(path)) return undefined;
  const file = await readJsonObject(path);
  const { version, block, unfinal } = file;
  const { number, hash }: { number?: unknown; hash?: unknown } =
    typeof block === 'object' && block !== null ? block : {};
  if (version !== 1 || !Number.isSafeInteger(number) || typeof hash !== 'string' || !isEvents(unfinal))
    throw new UsageInvalidError(`${path} is no cursor of a watch`);
  if (subjectIn(file) !== nameOf(subject))
    throw new UsageInvalidError(
      `${path} is the cursor of another watch: its chain, authority or registries are others`,
    );
  return { block: { number: Number(number), hash: hash as Hex }, unfinal };
}

/** Writes the cursor so that a crash leaves the former one or this. @throws UsageInvalidError */
export async function writeCursor(path: string, subject: Subject, cursor: Cursor): Promise<void> {
  await writeText(`${path}.new`, `${JSON.stringify({ version: 1, ...subject, ...cursor }, undefined, 1)}\n`);
  await rename(`${path}.new`, path);
}
