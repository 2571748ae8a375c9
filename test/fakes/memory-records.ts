import type { Change, Fields, Key, Range, Records, Stored, Value } from '../../functions/domain/records.ts';

/** DynamoDB's limits, so that a test fails where the real store would. */
const maxChanges = 100;
const maxItemBytes = 400_000;

const identity = ({ table, pk, sk }: Key): string => JSON.stringify([table, pk, sk]);

/** As UTF-8 bytes sort, which is how DynamoDB orders sort keys. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** What the store keeps: `undefined` is never stored, and nobody keeps a reference into it. */
function stored(value: Value): Value {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([name, one]) => [name, stored(one as Value)]));
}

const copy = (fields: Fields): Fields => stored(fields) as Fields;

function holds(actual: Value | undefined, expected: Value | undefined): boolean {
  return Array.isArray(expected) ? expected.includes(actual) : actual === expected;
}

function sizeOf(fields: Fields): number {
  return Object.entries(fields).reduce(
    (sum, [name, value]) =>
      sum + name.length + (value instanceof Uint8Array ? value.length : JSON.stringify(value).length),
    0,
  );
}

/** `Records` in memory, with the semantics of the DynamoDB adapter; the shared suite holds both to them. */
export class MemoryRecords implements Records {
  /** Set, it is what every read fails with. */
  readFailure: Error | undefined;
  readonly #items = new Map<string, Stored>();

  async get(key: Key): Promise<Fields | undefined> {
    return this.#find(key);
  }

  async getAll(keys: readonly Key[]): Promise<(Fields | undefined)[]> {
    return keys.map((key) => this.#find(key));
  }

  async list({ table, pk, from, before, limit, descending }: Range): Promise<Stored[]> {
    const found = [...this.#items.values()]
      .filter(({ key }) => key.table === table && key.pk === pk)
      .filter(({ key: { sk } }) => from === undefined || byBytes(sk, from) >= 0)
      .filter(({ key: { sk } }) => from !== undefined || before === undefined || byBytes(sk, before) < 0)
      .sort((a, b) => byBytes(a.key.sk, b.key.sk));
    const ordered = descending ? found.reverse() : found;
    return ordered.slice(0, limit).map(({ key, fields }) => ({ key, fields: copy(fields) }));
  }

  async transact(changes: readonly Change[]): Promise<boolean> {
    if (changes.length === 0 || changes.length > maxChanges) throw new Error(`${changes.length} changes`);
    const keys = new Set(changes.map(({ key }) => identity(key)));
    if (keys.size < changes.length) throw new Error('a transaction cannot change one record twice');
    if (!changes.every((change) => this.#holds(change))) return false;
    for (const change of changes) this.#apply(change);
    return true;
  }

  async update(change: Change): Promise<Fields | undefined> {
    if (!this.#holds(change)) return undefined;
    return this.#apply(change);
  }

  async due(now: string, limit: number): Promise<Key[]> {
    const due = [...this.#items.values()]
      .filter(({ key, fields }) => key.table === 'attestations' && fields.sweep === 'due')
      .map(({ key, fields }) => ({ key, checkAt: String(fields.checkAt) }))
      .filter(({ checkAt }) => byBytes(checkAt, now) <= 0);
    return due
      .sort((a, b) => byBytes(a.checkAt, b.checkAt))
      .slice(0, limit)
      .map(({ key }) => key);
  }

  /** Everything stored, for assertions. */
  all(): Stored[] {
    return [...this.#items.values()].map(({ key, fields }) => ({ key, fields: copy(fields) }));
  }

  #find(key: Key): Fields | undefined {
    if (this.readFailure) throw this.readFailure;
    const item = this.#items.get(identity(key));
    return item && copy(item.fields);
  }

  #holds(change: Change): boolean {
    const before = this.#items.get(identity(change.key))?.fields;
    if ('ifAbsent' in change && change.ifAbsent && before) return false;
    if ('ifPresent' in change && change.ifPresent && !before) return false;
    return Object.entries(change.expect ?? {}).every(([name, value]) => holds(before?.[name], value));
  }

  #apply(change: Change): Fields {
    const { table, pk, sk } = change.key;
    const id = identity(change.key);
    if ('remove' in change) {
      this.#items.delete(id);
      return {};
    }
    const before = this.#items.get(id)?.fields ?? {};
    const fields = copy('put' in change ? change.put : { ...before, ...change.set });
    if (sizeOf(fields) > maxItemBytes) throw new Error('a record is larger than DynamoDB takes');
    this.#items.set(id, { key: { table, pk, sk }, fields });
    return copy(fields);
  }
}
