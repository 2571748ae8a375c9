import { expect, inject, onTestFailed, test } from 'vitest';
import { caseCount } from '../fakes/world/soak.ts';
import { runSeed } from '../soak/run/run-seed.ts';

const seeds = caseCount(1, 100);

test(`row 33: ${seeds} soak runs on real adapters end by the rule`, async () => {
  const events: string[] = [];
  // A run on real adapters is not repeatable. At the test's time limit, only this shows what the run waits for.
  onTestFailed(() => console.log(events.slice(-60).join('\n')));
  for (let seed = 0; seed < seeds; seed++) {
    const run = await runSeed({ seed, emulator: inject('emulator') }, (line) =>
      events.push(line.slice(0, 200)),
    );
    expect(run).not.toHaveProperty('failure');
  }
});
