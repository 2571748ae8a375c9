/** A plain value as DynamoDB keeps it. */
export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly Value[]
  | { readonly [name: string]: Value | undefined };

/** One stored record; `pk` and `sk` are its key and not repeated inside. */
export type Fields = { readonly [name: string]: Value | undefined };

export type Table = 'attestations' | 'lanes' | 'organizations';

export interface Key {
  readonly table: Table;
  readonly pk: string;
  readonly sk: string;
}

/**
 * What must hold of the stored record for a change to happen: a value equals it, an array contains it, and
 * `undefined` says that the field is absent.
 */
export type Expectations = { readonly [name: string]: Value | undefined };

/** One conditional write. `set` with an `undefined` value removes the field; `add` counts an absent one from 0. */
export type Change = { readonly key: Key; readonly expect?: Expectations } & (
  | { readonly put: Fields; readonly ifAbsent?: true }
  | { readonly set: Fields; readonly add?: Readonly<Record<string, number>>; readonly ifPresent?: true }
  | { readonly remove: true }
);

export interface Range {
  readonly table: Table;
  readonly pk: string;
  /** At or above this sort key; or, instead, strictly below that one. */
  readonly from?: string;
  readonly before?: string;
  readonly limit: number;
  readonly descending?: boolean;
}

export interface Stored {
  readonly key: Key;
  readonly fields: Fields;
}

/** Result of work whose conditional write did not hold: a record changed since it was read. The caller reads it again. */
export const lostRace = 'lost race';

export type LostRace = typeof lostRace;

/**
 * Where the truth is kept. Every read is strongly consistent, except `due` and `inFlight`, which may lag.
 *
 * @throws ThrottledError when the store refuses for load or for a conflict that outlasted the retries.
 */
export interface Records {
  get(key: Key): Promise<Fields | undefined>;
  /** In the order asked; absent ones are `undefined`. */
  getAll(keys: readonly Key[]): Promise<(Fields | undefined)[]>;
  list(range: Range): Promise<Stored[]>;
  /** All or nothing; false when an expectation does not hold. At most 100 changes. */
  transact(changes: readonly Change[]): Promise<boolean>;
  /** One change; the record after it, or `undefined` when an expectation does not hold. */
  update(change: Change): Promise<Fields | undefined>;
  /** Attestations whose `checkAt` is at or before `now`, oldest first. */
  due(now: string, limit: number): Promise<Key[]>;
  /** How many attestations of the organisation are neither confirmed nor failed; counts no further than the limit. */
  inFlight(organizationId: string, limit: number): Promise<number>;
}
