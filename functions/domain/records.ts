import { LostRaceError, ThrottledError } from './errors.ts';

export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly Value[]
  | { readonly [name: string]: Value | undefined };

/** Fields of a stored record, without its key `pk` and `sk`. */
export type Fields = { readonly [name: string]: Value | undefined };

export type Table = 'attestations' | 'lanes' | 'queue' | 'organizations' | 'webhooks';

export interface Key {
  readonly table: Table;
  readonly pk: string;
  readonly sk: string;
}

/** The field must equal the value, or one of the values of an array. `undefined` requires that the field is absent. */
export type Expectations = { readonly [name: string]: Value | undefined };

/** `set` to `undefined` removes a field; `add` starts from 0 if the field is absent. */
export type Change = { readonly key: Key; readonly expect?: Expectations } & (
  | { readonly put: Fields; readonly ifAbsent?: true }
  | { readonly set: Fields; readonly add?: Readonly<Record<string, number>>; readonly ifPresent?: true }
  | { readonly remove: true }
);

export interface Range {
  readonly table: Table;
  readonly pk: string;
  /** Lowest sort key, inclusive. Not used with `before`. */
  readonly from?: string;
  /** Upper bound of the sort key, exclusive. */
  readonly before?: string;
  /** Without a limit, all records are listed. Truncating silently would lose some. */
  readonly limit?: number;
  readonly descending?: boolean;
}

export interface Stored {
  readonly key: Key;
  readonly fields: Fields;
}

/** Awaits work. @returns `undefined` if it lost a race: the records that the caller read are stale */
export function catchRace<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return work.catch((error: unknown) => {
    if (!(error instanceof LostRaceError)) throw error;
    return undefined;
  });
}

const maxTries = 5;

/** Repeats a change that loses a race or returns `undefined`. @throws ThrottledError after the last try */
export async function retryLostRaces<Result>(
  change: () => Promise<Result | undefined>,
  object: string,
): Promise<Result> {
  for (let tries = 0; tries < maxTries; tries++) {
    const changed = await catchRace(change());
    if (changed !== undefined) return changed;
  }
  throw new ThrottledError(`others are changing ${object} at this moment; try again`);
}

/** The service's store. Reads are strongly consistent, except `due` and `inFlight`, which may lag. */
export interface Records {
  get(key: Key): Promise<Fields | undefined>;
  getAll(keys: readonly Key[]): Promise<(Fields | undefined)[]>;
  list(range: Range): Promise<Stored[]>;
  /** Writes all of up to 100 changes or none. @returns false if an expectation failed */
  transact(changes: readonly Change[]): Promise<boolean>;
  /** Writes one change. @returns the record after it, or `undefined` if an expectation failed */
  update(change: Change): Promise<Fields | undefined>;
  /** Lists the keys of attestations with a `checkAt` not after `now`, earliest `checkAt` first. */
  due(now: string, limit: number): Promise<Key[]>;
  /** Counts the organization's attestations that are neither confirmed nor failed, up to the limit. */
  inFlight(organizationId: string, limit: number): Promise<number>;
}
