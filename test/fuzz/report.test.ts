import { expect, test } from 'vitest';
import { joinReports, readReport, reportText } from './report.ts';

const success = { status: 'success', skip_reason: null };

/** A report in the form of schemathesis 4, with the parts that are read. */
const good = {
  ...{ seed: 7, running_time: 12.3, stop_reason: 'max_time', errors: [], failures: [] as object[] },
  operations: { total: 6, selected: 6, tested: 6 },
  phases: { examples: success, coverage: success, fuzzing: success, stateful: success },
  test_cases: { generated: 400, with_failures: 0 },
};

const read = (change: object = {}) => readReport(JSON.stringify({ ...good, ...change }));

test('a run without failures reports none', () => {
  const phases = { examples: 'success', coverage: 'success', fuzzing: 'success', stateful: 'success' };
  expect(read()).toEqual({ cases: 400, seed: 7, seconds: 12.3, operations: 6, phases, failures: [] });
  expect(reportText(read())).toMatch(/^400 cases of 6 operations in 12 s, seed 7\n.*\n0 failures$/);
});

test.each([
  ['a failure', { failures: [{ title: 'Wrong', count: 2, operations: ['GET /docs'] }] }, /^Wrong: 2, at GET/],
  ['an error', { errors: [{ title: 'Broken' }] }, /^error: .*Broken/],
  ['an interruption', { stop_reason: 'interrupted' }, /cut short: interrupted/],
  ['a service that is gone', { stop_reason: 'server_unavailable' }, /cut short: server_unavailable/],
  ['an operation left out', { operations: { selected: 6, tested: 5 } }, /^only 5 of 6 operations/],
  ['a phase left out', { phases: { ...good.phases, stateful: undefined } }, /stateful .* not run/],
  ['a phase skipped', { phases: { ...good.phases, fuzzing: { status: 'skip' } } }, /fuzzing .* skip/],
  ['no cases', { test_cases: { generated: 0 } }, /^no cases/],
])('%s is a failure', (_, change, line) => {
  expect(read(change).failures).toEqual([expect.stringMatching(line)]);
});

test('two runs count together, and all failures remain', () => {
  const second = read({ seed: 8, stop_reason: 'interrupted' });
  const both = joinReports(read(), second);
  expect([both.cases, both.seed, both.failures]).toEqual([800, 7, second.failures]);
});
