import { describe, expect, test } from 'vitest';
import type { Fields, Key, Value } from '../../../../functions/domain/records.ts';
import { RecordInvalidError } from '../../../../functions/domain/stored-record.ts';
import { type RecordKind, readStored } from './read-stored.ts';
import { expectRead } from './shown.ts';

/** A kind of record, or of a part of one. */
export interface KindExample {
  /** Of the record that holds it. */
  readonly kind: RecordKind;
  /** As errors call the kind, if otherwise. */
  readonly called?: string;
  /** Where the part is in the record. */
  readonly part?: string;
  readonly key: Key;
  /** With every field that there may be. */
  readonly fields: Fields;
  readonly optional: readonly string[];
  /** Of the texts, numbers and flags those that are one of a few, or of a form. */
  readonly narrow: readonly string[];
  /** The record with the part inside. */
  readonly within?: (part: Fields) => Fields;
}

/** One of each type; the text looks like a secret. */
const others: readonly Value[] = [
  'correct horse battery staple',
  31_337.5,
  true,
  Uint8Array.of(1, 2, 3),
  ['correct horse battery staple'],
  { attestationsPerDay: 'correct horse battery staple' },
];

function typeOf(value: Value | undefined): string {
  if (value instanceof Uint8Array) return 'bytes';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** Values that the field must not have: of other types, of its own in another form, and of two, nothing. */
function wrongFor({ fields, narrow }: KindExample, name: string): Value[] {
  const wrong = others.filter((value) => narrow.includes(name) || typeOf(value) !== typeOf(fields[name]));
  return name in nullable ? wrong : [...wrong, null];
}

const nullable = { error: 0, childAttestationId: 0, childLinkTxHash: 0, revokedAt: 0, defaultChainId: 0 };

/** The parser's contract, for that kind. */
export function describeKind(example: KindExample): void {
  const { kind, called = kind, part, key, fields, optional, within = (whole: Fields) => whole } = example;
  const names = Object.keys(fields);
  const refusal = async (stored: Fields) => {
    const error: unknown = await readStored(kind, key, within(stored)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return error instanceof RecordInvalidError ? `${error.name}: ${error.message}` : error;
  };
  /** Of a field that is a map or a list, the error names what is wrong inside it. */
  const refusalOf = (name: string, inside = '') => {
    const path = (part === undefined ? name : `${part}.${name}`).replaceAll('.', '\\.');
    return new RegExp(`^RecordInvalidError: stored ${called}: ${path}${inside} is missing or malformed$`);
  };

  describe(`a stored ${kind}${part === undefined ? '' : `, in ${part}`}`, () => {
    test('is read as it is', async () => {
      await expectRead(kind, key, within(fields));
    });

    test('is read with fields that nobody here knows', async () => {
      await readStored(kind, key, within({ ...fields, unknown: { to: ['us'] } }));
    });

    test.each(names)('without %s is refused by name, unless it may be absent', async (name) => {
      const { [name]: _, ...rest } = fields;
      if (optional.includes(name)) expect(await refusal(rest)).toBe(undefined);
      else expect(await refusal(rest)).toMatch(refusalOf(name));
    });

    test.each(names)('with another %s is refused by name, and no value told', async (name) => {
      for (const value of wrongFor(example, name)) {
        expect(await refusal({ ...fields, [name]: value })).toMatch(refusalOf(name, '(\\.\\w+)?'));
      }
    });
  });
}
