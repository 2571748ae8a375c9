import { spawnSync } from 'node:child_process';
import { findForge } from './find-forge.ts';

/** Long fuzz and invariant runs, then every mutant: about an hour on two cores. */
const env = { ...process.env, FOUNDRY_PROFILE: 'deep' };
const fuzz = spawnSync(findForge(), ['test', '-j', '1'], { stdio: 'inherit', env });
const mutation = spawnSync(process.execPath, ['contracts/forge/mutation/main.ts'], { stdio: 'inherit' });
process.exitCode = fuzz.status === 0 && mutation.status === 0 ? 0 : 1;
