import type { Fields, Key } from '../../../functions/domain/records.ts';

/** A record, before a write and after it. */
export interface Written {
  readonly key: Key;
  readonly before: Fields | undefined;
  readonly after: Fields | undefined;
}
