// Plain JavaScript that any recent Node can run. Reports missing prerequisites before it loads modules that need them.
import { existsSync } from 'node:fs';

const problem = () => {
  if (!existsSync(new URL('../node_modules/viem', import.meta.url))) {
    return 'The packages are not installed. Run npm ci.';
  }
  if (Number(process.versions.node.split('.')[0]) >= 24) return undefined;
  return existsSync(new URL('../node_modules/.bin/node', import.meta.url))
    ? `Node ${process.versions.node} is too old. Run npm start, which uses the installed Node 24.`
    : 'Node 24 is not installed: npm has no package of it for this platform, or npm ci ran with --omit=optional. Install Node 24.';
};

const line = problem();
if (line) {
  console.error(line);
  process.exit(1);
}
await import('./start/start.ts');
