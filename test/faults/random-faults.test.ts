import { expect, inject, test } from 'vitest';
import { caseCount } from '../fakes/world/soak.ts';
import { runSeed } from '../soak/run/run-seed.ts';

const seeds = caseCount(1, 100);

test(`row 33: ${seeds} soak runs on real adapters end by the rule`, async () => {
  for (let seed = 0; seed < seeds; seed++)
    expect(await runSeed({ seed, emulator: inject('emulator') })).not.toHaveProperty('failure');
});
