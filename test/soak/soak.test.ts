import { expect, test } from 'vitest';
import { caseCount } from '../fakes/world/soak.ts';
import { reportOf, reportText } from './report.ts';
import { runSeed, sumOf } from './run/run-seed.ts';

const seeds = caseCount(10, 1000);

test(`${seeds} runs with all disturbances end with every attestation confirmed or failed`, async () => {
  const runs = [];
  for (let seed = 0; seed < seeds; seed++) runs.push(await runSeed({ seed }));
  expect(runs.filter(({ failure }) => failure !== undefined)).toEqual([]);
  const { attestations = 0 } = sumOf(runs.map(({ tally }) => tally));
  expect(attestations).toBeGreaterThanOrEqual(20 * seeds);
});

test('a seed gives the same run every time, and another seed another run', async () => {
  const lines: string[] = [];
  const run = await runSeed({ seed: 3 }, (line) => lines.push(line));
  expect(lines.length).toBeGreaterThan(1000);
  expect(await runSeed({ seed: 3 })).toEqual(run);
  expect((await runSeed({ seed: 4 })).trace).not.toBe(run.trace);
});

test('a failing seed is reported, with its cause and the command to repeat it', () => {
  const passed = { seed: 1, trace: 'aa', tally: { attestations: 20, reorg: 3 } };
  const failed = { ...passed, seed: 2, trace: 'bb', failure: 'Error: a nonce is missing' };
  const report = reportOf([passed, failed], false);
  expect(report).toMatchObject({ failed: [failed], tally: { attestations: 40, reorg: 6 } });
  expect(reportText(report)).toContain(`seed 2 failed: Error: a nonce is missing
  trace bb
  npm run soak -- --seed 2 --trace`);
  expect(reportText(report)).toMatch(/: 1 passed, 1 failed$/);
});
