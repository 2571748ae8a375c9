import { fieldList, printable, table } from 'imprimatur-terminal/text';
import { expect, test } from 'vitest';

const forged = 'https://a.example/\nstatus  confirmed\tyes';

test('a field has one line, whatever is in it', () => {
  expect(fieldList({ url: forged, status: 'failed' })).toBe(
    'url     https://a.example/\\u{a}status  confirmed\\u{9}yes\nstatus  failed',
  );
});

test('a row of a table has one line, whatever is in it', () => {
  expect(table(['url'], [[forged]]).split('\n')).toHaveLength(2);
});

test('a text keeps its lines, and no escape sequence in it takes effect', () => {
  expect(printable('one\n\u001b[2Jtwo\u202e')).toBe('one\n\\u{1b}[2Jtwo\\u{202e}');
});
