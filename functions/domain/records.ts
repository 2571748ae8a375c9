import { LostRaceError, ThrottledError } from './errors.ts';

export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly Value[]
  | { readonly [name: string]: Value | undefined };

/** Fields of a stored record. Its key, `pk` and `sk`, is not repeated inside. */
export type Fields = { readonly [name: string]: Value | undefined };

export type Table = 'attestations' | 'lanes' | 'queue' | 'organizations' | 'webhooks';

export interface Key {
  readonly table: Table;
  readonly pk: string;
  readonly sk: string;
}

/** A value equals the stored field, an array contains it, and `undefined` means that the field is absent. */
export type Expectations = { readonly [name: string]: Value | undefined };

/** Conditional write of one record. `set` to `undefined` removes a field; `add` counts an absent one from 0. */
export type Change = { readonly key: Key; readonly expect?: Expectations } & (
  | { readonly put: Fields; readonly ifAbsent?: true }
  | { readonly set: Fields; readonly add?: Readonly<Record<string, number>>; readonly ifPresent?: true }
  | { readonly remove: true }
);

export interface Range {
  readonly table: Table;
  readonly pk: string;
  /** Lowest sort key, inclusive. Not used together with `before`. */
  readonly from?: string;
  /** Upper bound of the sort key, exclusive. */
  readonly before?: string;
  /** Without it, as many as there are: a list that is cut off silently would lose some. */
  readonly limit?: number;
  readonly descending?: boolean;
}

export interface Stored {
  readonly key: Key;
  readonly fields: Fields;
}

/** Awaits work; `undefined` when it lost a race: then what it depends on is read again. */
export function unlessLost<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return work.catch((error: unknown) => {
    if (!(error instanceof LostRaceError)) throw error;
    return undefined;
  });
}

/** Tries of a change that loses races. */
const maxTries = 5;

/** Makes a change, again for as long as it loses races: then it is `undefined`. @throws ThrottledError when it lost every one */
export async function retryLostRaces<Result>(
  change: () => Promise<Result | undefined>,
  what: string,
): Promise<Result> {
  for (let tries = 0; tries < maxTries; tries++) {
    const changed = await unlessLost(change());
    if (changed !== undefined) return changed;
  }
  throw new ThrottledError(`${what} being changed by others at this moment; try again`);
}

/** Store in which the truth is kept. Reads are strongly consistent, except `due` and `inFlight`, which may lag. */
export interface Records {
  get(key: Key): Promise<Fields | undefined>;
  getAll(keys: readonly Key[]): Promise<(Fields | undefined)[]>;
  list(range: Range): Promise<Stored[]>;
  /** Writes all of at most 100 changes or none; false when an expectation does not hold. */
  transact(changes: readonly Change[]): Promise<boolean>;
  /** Writes one change; returns the record after it, or `undefined` when an expectation does not hold. */
  update(change: Change): Promise<Fields | undefined>;
  /** Lists the keys of attestations whose `checkAt` is at or before `now`, oldest first. */
  due(now: string, limit: number): Promise<Key[]>;
  /** Counts the organization's attestations that are neither confirmed nor failed, up to the limit. */
  inFlight(organizationId: string, limit: number): Promise<number>;
}
