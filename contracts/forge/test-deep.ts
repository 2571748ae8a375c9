import { spawnSync } from 'node:child_process';
import { findForge } from './find-forge.ts';
import { prove } from './prove.ts';

/** Proofs of a few minutes, long fuzz and invariant runs, then every mutant: some three hours on two cores. */
const proved = await prove();
const env = { ...process.env, FOUNDRY_PROFILE: 'deep' };
const fuzz = spawnSync(findForge(), ['test', '-j', '1'], { stdio: 'inherit', env });
const mutation = spawnSync(process.execPath, ['contracts/forge/mutation/main.ts'], { stdio: 'inherit' });
process.exitCode = proved && fuzz.status === 0 && mutation.status === 0 ? 0 : 1;
