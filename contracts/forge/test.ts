import { spawnSync } from 'node:child_process';
import { findForge } from './find-forge.ts';

// Takes forge's own options: `npm run test --workspace contracts -- --match-test reveal -vvv`.
const { status } = spawnSync(findForge(), ['test', '-j', '1', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
