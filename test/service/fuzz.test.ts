import { expect, test } from 'vitest';
import { fuzzLocally } from '../fuzz/fuzz-locally.ts';
import { stack } from './stack/running-stack.ts';

/** One run of the shortest; `npm run fuzz` makes 2,000 and more. */
const cases = 200;

test('what schemathesis makes up from the OpenAPI document is answered as the document says', async () => {
  const directory = `${stack.directory}/schemathesis`;
  const report = await fuzzLocally(stack, { directory, cases, seed: 1, log: console.log });
  const phases = { examples: 'success', coverage: 'success', fuzzing: 'success', stateful: 'success' };
  expect(report).toMatchObject({ failures: [], phases });
  expect(report.cases).toBeGreaterThanOrEqual(cases);
});
