import { expect, test } from 'vitest';
import { reportOf, reportText } from './report.ts';

const options = { seeds: [1, 2], real: false, trace: false, json: false };
const passed = { seed: 1, trace: 'aa', tally: { attestations: 20, reorganisation: 3 } };
const failed = { ...passed, seed: 2, trace: 'bb', failure: 'Error: a nonce is missing', replays: true };

test('a failing seed is named, with what broke and how to see it again', () => {
  const text = reportText(reportOf([passed, failed], options));
  expect(text).toContain('seed 2 failed: Error: a nonce is missing');
  expect(text).toContain('lived again, it went the same way, trace bb');
  expect(text).toContain('npm run soak -- --seed 2 --trace');
  expect(text).toContain('2 seeds, trace ');
  expect(text.split('\n').at(-1)).toContain(': 1 passed, 1 failed');
});

test('what happened is summed over all lives', () => {
  const { tally } = reportOf([passed, failed], options);
  expect(tally).toEqual({ attestations: 40, reorganisation: 6 });
});

test('two runs of the same lives have the same trace, and of others another', () => {
  const traceOf = (...lives: (typeof passed)[]) => reportOf(lives, options).trace;
  expect(traceOf(passed, failed)).toBe(traceOf(passed, failed));
  expect(traceOf(passed)).not.toBe(traceOf(failed));
});
