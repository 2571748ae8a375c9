import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Fields, Key } from '../../../../functions/domain/records.ts';
import type { RecordKind } from './read-stored.ts';
import { expectRead } from './shown.ts';

/**
 * Rows as the version at 8b09248 wrote them: of all that its own tests store, so few that every field, in every type
 * and phase that it has, is in one of them.
 */
const rows: readonly { kind: RecordKind; key: Key; fields: Fields }[] = readFileSync(
  `${import.meta.dirname}/landed-rows.jsonl`,
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) =>
    JSON.parse(line, (_, value) =>
      value?.$bytes === undefined ? value : Uint8Array.from(Buffer.from(value.$bytes, 'base64')),
    ),
  );

test.each(rows.map((row, position) => [position + 1, row.kind, row] as const))(
  'row %i of the landed version, of kind %s, is read',
  async (_, kind, { key, fields }) => {
    await expectRead(kind, key, fields);
  },
);

test('there is a row of every kind', () => {
  expect(new Set(rows.map(({ kind }) => kind)).size).toBe(16);
});
