import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { notAsked, ok, problem, reportText, warning } from '../../../../admin/commands/doctor/report.ts';

const sections = [
  {
    title: 'Chain 1 (Ethereum)',
    findings: [
      {
        check: 'registry',
        ...ok('0x000000d505a5eaa8c108537Ce40Aa61E4A27D381 has the code of a known version of it'),
      },
      {
        check: 'providers',
        ...warning('1 of 2 do not answer: evil\n  ok  forged\u001b[31m', 'Replace its URL.'),
      },
      { check: 'signer', ...problem('no money', 'Send money to it.') },
      { check: 'delegations', ...notAsked('there is no organisation yet') },
    ],
  },
  { title: 'nothing', findings: [] },
];

test('a pipe gets one line for each finding', () => {
  const text = reportText(sections, { isColored: false, columns: undefined });
  expect(text.split('\n')).toHaveLength(7);
  expect(text).toContain('problem    signer: no money -> Send money to it.');
  expect(text).toContain('1 ok, 1 warning, 1 problem, 1 not asked');
  expect(text).not.toContain('nothing');
});

test('what a provider says makes no line and no colour of its own', () => {
  const text = reportText(sections, { isColored: false, columns: undefined });
  expect(text).toContain('evil ok forged\\u{1b}[31m');
  expect(stripVTControlCharacters(text)).toBe(text);
});

test('a terminal gets lines of its width, and words in colour', () => {
  const text = reportText(sections, { isColored: true, columns: 60 });
  const plain = stripVTControlCharacters(text);
  expect(plain).not.toBe(text);
  for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  expect(plain).toContain('\n             Send money to it.');
});
