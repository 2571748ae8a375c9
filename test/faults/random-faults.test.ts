import { expect, inject, test, vi } from 'vitest';
import { caseCount, soakTimeout } from '../fakes/world/soak.ts';
import { runSeed } from '../soak/run/run-seed.ts';

vi.setConfig({ testTimeout: soakTimeout });

const seeds = caseCount(1, 100);

test(`row 33: ${seeds} soak runs on real adapters end by the rule`, async () => {
  for (let seed = 0; seed < seeds; seed++)
    expect(await runSeed({ seed, emulator: inject('emulator') })).not.toHaveProperty('failure');
});
