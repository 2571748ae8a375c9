// Plain JavaScript that any recent Node reads: it reports what is missing before the modules that need it load.
import { existsSync } from 'node:fs';

const problem = () => {
  if (!existsSync(new URL('../node_modules/viem', import.meta.url))) {
    return 'the packages are not installed: run npm ci';
  }
  if (Number(process.versions.node.split('.')[0]) >= 24) return undefined;
  return existsSync(new URL('../node_modules/.bin/node', import.meta.url))
    ? `this is Node ${process.versions.node} and 24 is needed: run npm start, which uses the installed one`
    : 'Node 24 is needed, and no package has it for this platform, or npm ci left it out (--omit=optional): install Node 24';
};

const line = problem();
if (line) {
  console.error(line);
  process.exit(1);
}
await import('./start/start.ts');
