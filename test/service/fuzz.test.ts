import { expect, test } from 'vitest';
import { fuzz } from '../fuzz/schemathesis.ts';
import { stack } from './stack/running-stack.ts';

/** Minimum number of requests. The default of `npm run fuzz` is 2,000. */
const cases = 200;

test('responses to generated requests match the OpenAPI document', async () => {
  const report = await fuzz({
    ...stack,
    directory: `${stack.directory}/schemathesis`,
    cases,
    seed: 1,
    log: console.log,
  });
  const phases = { examples: 'success', coverage: 'success', fuzzing: 'success', stateful: 'success' };
  expect(report).toMatchObject({ failures: [], phases });
  expect(report.cases).toBeGreaterThanOrEqual(cases);
});
